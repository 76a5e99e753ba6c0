import CCurl
import Glibc

/// Speaks HTTP with a daemon over its Unix socket, one request at a time; the connection is kept between them.
/// Owned by one caller; each call blocks until the answer is there.
package final class ControlClient {
    private let socketPath: String
    private let timeout: Int
    private let easy: UnsafeMutableRawPointer

    /// `timeout` bounds each request, in seconds. Nil where there is no memory.
    package init?(socketPath: String, timeout: Int = 30) {
        guard let easy = curl_easy_init() else { return nil }
        self.socketPath = socketPath
        self.timeout = timeout
        self.easy = easy
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    /// The answer, whatever its status. Throws `unreachable` where there is none.
    package func send(_ request: ControlRequest) throws(ControlClientError) -> ControlResponse {
        let query = request.query.encoded
        curl_easy_reset(easy)
        set(CURLOPT_UNIX_SOCKET_PATH, socketPath)
        set(CURLOPT_URL, "http://localhost\(request.path)\(query.isEmpty ? "" : "?\(query)")")
        set(CURLOPT_CUSTOMREQUEST, request.method)
        set(CURLOPT_PROTOCOLS_STR, "http")
        // Set even though there is none, or libcurl reads the environment.
        set(CURLOPT_PROXY, "")
        // An id of dots is a segment like any other.
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT, timeout)
        let body = Body()
        // SAFETY: libcurl calls back only within curl_easy_perform, below, and `body` outlives that call.
        check(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(body).toOpaque()))
        check(
            ccurl_set_bytes_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                // SAFETY: the context is the Body set above.
                let body = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
                body.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            })
        let code = withExtendedLifetime(body) { curl_easy_perform(easy) }
        guard code == CURLE_OK else { throw .unreachable(socketPath: socketPath, reason: reason(of: code)) }
        var status = 0
        check(ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status))
        return ControlResponse(status: status, body: body.bytes)
    }

    private func reason(of code: CURLcode) -> String {
        var systemError = 0
        check(ccurl_get_long(easy, CURLINFO_OS_ERRNO, &systemError))
        switch (code, Int32(systemError)) {
        case (CURLE_OPERATION_TIMEDOUT, _): return "no answer within \(timeout) s"
        case (CURLE_COULDNT_CONNECT, ENOENT): return "there is no such socket"
        case (CURLE_COULDNT_CONNECT, ECONNREFUSED): return "nobody listens there any more"
        case (CURLE_COULDNT_CONNECT, EACCES): return "you may not open it; the members of its group may"
        case (CURLE_COULDNT_CONNECT, let number) where number != 0: return String(cString: strerror(number))
        default: return String(cString: curl_easy_strerror(code))
        }
    }

    private func set(_ option: CURLoption, _ value: Int) { check(ccurl_set_long(easy, option, value)) }
    private func set(_ option: CURLoption, _ value: String) { check(ccurl_set_string(easy, option, value)) }

    /// An option fails only where libcurl was built without it or there is no memory.
    private func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl refused an option: \(code.rawValue)")
    }

    /// What the callback writes to.
    private final class Body {
        var bytes: [UInt8] = []
    }
}
