import CSystemd

/// What the service manager is told, sd_notify(3). Without one (`$NOTIFY_SOCKET` unset) nothing is sent.
package enum ServiceNotification {
    /// Start-up is complete.
    package static func ready() { sd_notify(0, "READY=1") }
    /// Shutdown has begun.
    package static func stopping() { sd_notify(0, "STOPPING=1") }
}
