import Testing

@testable import Platform

struct ServiceNotificationTests {
    @Test(arguments: [
        (ServiceNotification.ready, "READY=1"), (.stopping, "STOPPING=1"), (.alive, "WATCHDOG=1"),
        (.reloading, "RELOADING=1\nMONOTONIC_USEC=12"), (.needsTime(.seconds(30)), "EXTEND_TIMEOUT_USEC=30000000"),
        (.status("all\nis well"), "STATUS=all is well"),
        (.status(String(repeating: "ä", count: 501)), "STATUS=" + String(repeating: "ä", count: 500)),
    ])
    func `each is told in the words of sd_notify`(notification: ServiceNotification, text: String) {
        #expect(notification.assignments(at: 12) == text)
    }
}
