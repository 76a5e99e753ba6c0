import CCurl
import Platform

/// libcurl's multi handle: runs easy handles side by side over shared connections. Owned by the loop's thread.
final class MultiHandle {
    // SAFETY: lives exactly as long as this object; what is added is removed before it goes.
    private let raw: UnsafeMutableRawPointer
    /// Those of its connections; libcurl holds a bare pointer to it for as long as there is one.
    let sockets = ConnectionSockets()

    /// Connections kept for later: each holds a descriptor that something else may need.
    private static let idleConnections = 16

    /// Nil where there is no memory.
    init?() {
        guard let raw = curl_multi_init() else { return nil }
        self.raw = raw
        ccurl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, Self.idleConnections)
    }

    deinit {
        curl_multi_cleanup(raw)
    }

    /// Begins what `easy` is prepared for. Where that fails it was not taken: nothing will be heard of it.
    func add(_ easy: EasyHandle) throws(TransferFailure) {
        let code = curl_multi_add_handle(raw, easy.raw)
        guard code == CURLM_OK else { throw CurlFailure.classify(code) }
    }

    /// Also ends what it was doing. Cannot fail of a handle that was added.
    func remove(_ easy: EasyHandle) {
        curl_multi_remove_handle(raw, easy.raw)
    }

    /// Does all that can be done without waiting; callbacks run in it. A failure here is of no one transfer; those
    /// that it leaves without progress end by their deadlines.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(raw, &running)
    }

    /// The next easy handle that has come to its end, and how; nil when there is none.
    func nextFinished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        guard ccurl_multi_next_finished(raw, &easy, &code), let easy else { return nil }
        return (easy, code)
    }

    /// Sleeps until a socket is ready, libcurl has something to do, `wake` is up, or `timeout` is over; false where it
    /// could not sleep, and came back at once.
    func wait(_ wake: EventDescriptor, timeout: Duration) -> Bool {
        ccurl_multi_wait(raw, wake.descriptor.raw, Int32(min(timeout.wholeMilliseconds, 60_000))) == CURLM_OK
    }
}
