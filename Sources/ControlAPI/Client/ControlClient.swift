import CCurl
import Glibc

/// Speaks HTTP with a daemon over its Unix socket, one request at a time; the connection is kept between them.
/// Owned by one caller; each call blocks until the answer is there.
package final class ControlClient {
    private let socketPath: String
    private let timeout: Int
    private let easy: UnsafeMutableRawPointer

    /// `timeout` bounds each request, in seconds; what a request's `patience` says comes on top. Nil where there is no
    /// memory.
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
        prepare(request)
        if let patience = request.patience {
            set(CURLOPT_TIMEOUT, timeout + patience)
        } else {
            set(CURLOPT_CONNECTTIMEOUT, timeout)
        }
        var body: [UInt8] = []
        let code = perform(request.body) { _, bytes in
            body += bytes
            return true
        }
        guard code == CURLE_OK else {
            throw .unreachable(socketPath: socketPath, reason: reason(of: code, request.patience))
        }
        return ControlResponse(status: status, body: body)
    }

    /// Hands each line of an answer that goes on, without its newline, to `onLine` as it comes. Returns when `onLine`
    /// answers false or the daemon ends the answer; no time ends it. Throws `refused` or `unreadable` for an answer of
    /// another status than one that says that the request is done, `unreachable` where there is none or its connection is
    /// lost.
    package func stream(
        _ request: ControlRequest, onLine: (_ line: [UInt8]) -> Bool
    ) throws(ControlClientError) {
        prepare(request)
        set(CURLOPT_CONNECTTIMEOUT, timeout)
        var lines = LineSplitter()
        var refusal: [UInt8] = []
        var isEnded = false
        let code = perform(request.body) { status, bytes in
            guard (200..<300).contains(status) else {
                refusal += bytes
                return true
            }
            isEnded = !lines.add(bytes, onLine)
            return !isEnded
        }
        if isEnded { return }
        guard code == CURLE_OK else { throw .unreachable(socketPath: socketPath, reason: reason(of: code)) }
        try ControlResponse(status: status, body: refusal).check()
    }

    private func prepare(_ request: ControlRequest) {
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
    }

    /// Carries the request out with that body; `take` gets the status and each piece of the answer's, and tells whether
    /// to go on.
    private func perform(
        _ body: [UInt8]?, _ take: (_ status: Int, _ bytes: UnsafeRawBufferPointer) -> Bool
    ) -> CURLcode {
        guard let body else { return perform(take) }
        let headers = curl_slist_append(nil, "Content-Type: application/json")
        defer { curl_slist_free_all(headers) }
        check(ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers))
        check(ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        return body.withUnsafeBytes { bytes in
            // SAFETY: libcurl reads the bytes where they are, only within curl_easy_perform, and never writes to them. An
            // empty array may have no address, and nil would mean that there is no body.
            let address = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
            check(ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, address ?? UnsafeMutableRawPointer(easy)))
            return perform(take)
        }
    }

    private func perform(_ take: (_ status: Int, _ bytes: UnsafeRawBufferPointer) -> Bool) -> CURLcode {
        withoutActuallyEscaping(take) { take in
            let taker = Taker { [self] bytes in take(status, bytes) }
            // SAFETY: libcurl calls back only within curl_easy_perform, below, and `taker` outlives that call.
            check(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(taker).toOpaque()))
            check(
                ccurl_set_bytes_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                    guard let bytes, let context else { return 0 }
                    // SAFETY: the context is the Taker set above.
                    let taker = Unmanaged<Taker>.fromOpaque(context).takeUnretainedValue()
                    return taker.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
                })
            return withExtendedLifetime(taker) { curl_easy_perform(easy) }
        }
    }

    /// The answer's, once its head is there.
    private var status: Int {
        var status = 0
        check(ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status))
        return status
    }

    private func reason(of code: CURLcode, _ patience: Int? = nil) -> String {
        let length = socketPath.utf8.count
        guard length <= Self.longestSocketPath else {
            return "that path is \(length) bytes long, and a socket's has at most \(Self.longestSocketPath)"
        }
        var systemError = 0
        check(ccurl_get_long(easy, CURLINFO_OS_ERRNO, &systemError))
        switch (code, Int32(systemError)) {
        case (CURLE_OPERATION_TIMEDOUT, _): return "no answer within \(timeout + (patience ?? 0)) s"
        case (CURLE_COULDNT_CONNECT, ENOENT): return "there is no such socket"
        case (CURLE_COULDNT_CONNECT, ECONNREFUSED): return noSocket ?? "nobody listens there any more"
        case (CURLE_COULDNT_CONNECT, EACCES): return "you may not open it; the members of its group may"
        case (CURLE_COULDNT_CONNECT, let number) where number != 0: return String(cString: strerror(number))
        default: return String(cString: curl_easy_strerror(code))
        }
    }

    /// What is there in place of a socket, connect(2) refuses as if nobody listened.
    private var noSocket: String? {
        var status = stat()
        guard stat(socketPath, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: return nil
        case S_IFDIR: return "that is a directory, and no socket"
        default: return "that is a file, and no socket"
        }
    }

    /// In bytes, unix(7).
    private static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private func set(_ option: CURLoption, _ value: Int) { check(ccurl_set_long(easy, option, value)) }
    private func set(_ option: CURLoption, _ value: String) { check(ccurl_set_string(easy, option, value)) }

    /// An option fails only where libcurl was built without it or there is no memory.
    private func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl refused an option: \(code.rawValue)")
    }

    /// What the callback hands the body's bytes to.
    private final class Taker {
        let take: (UnsafeRawBufferPointer) -> Bool

        init(_ take: @escaping (UnsafeRawBufferPointer) -> Bool) {
            self.take = take
        }
    }
}
