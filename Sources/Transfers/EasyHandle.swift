import Addresses
import CCurl
import Glibc
import Platform

/// One of libcurl's easy handles: makes one hop after another. Owned by the loop's thread.
final class EasyHandle {
    // SAFETY: both live exactly as long as this object, and the text, which libcurl writes to, longer than the handle.
    let raw: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    /// What libcurl reads while the hop runs, curl_slist_append(3); freed with the next one.
    // SAFETY: freed only once the handle has forgotten them, by reset or by its end.
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    /// Who the callbacks speak to; libcurl holds a bare pointer to it.
    private var reception: Reception?

    /// Nil where there is no memory.
    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        errorText.deallocate()
        lists.forEach(curl_slist_free_all)
    }

    /// Forgets the last hop, its connections aside, and makes ready for this one.
    func prepare(_ hop: Hop, _ options: TransferOptions, reception: Reception) {
        reset()
        self.reception = reception
        set(CURLOPT_URL, hop.url.request)
        set(CURLOPT_ERRORBUFFER, pointer: errorText)
        setProtocolRules(hop, options)
        setConnection(hop, options)
        if let entry = hop.resolveEntry { set(CURLOPT_RESOLVE, lines: [entry]) }
        set(CURLOPT_HTTPHEADER, lines: hop.headerLines(options))
        set(CURLOPT_USERAGENT, options.userAgent)
        // Pictures are asked for as they are. That the option is set at all makes libcurl decode what comes unasked.
        set(CURLOPT_ACCEPT_ENCODING, "identity")
        setCallbacks(reception, isPinned: hop.addresses != nil)
    }

    /// Forgets the last hop, its connections aside.
    func reset() {
        curl_easy_reset(raw)
        errorText.pointee = 0
        lists.forEach(curl_slist_free_all)
        lists = []
        reception = nil
    }

    /// What libcurl may read at once, and in a second; 0: no limit. May be changed while a hop runs.
    func limit(bytesPerSecond: Int64) {
        set(CURLOPT_MAX_RECV_SPEED_LARGE, offset: bytesPerSecond)
    }

    /// Bytes of the body received, before any decoding.
    var receivedBytes: Int64 {
        var bytes: curl_off_t = 0
        ccurl_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return Int64(bytes)
    }

    /// Bytes of heads received.
    var headerBytes: Int64 {
        var bytes: Int = 0
        ccurl_get_long(raw, CURLINFO_HEADER_SIZE, &bytes)
        return Int64(bytes)
    }

    /// libcurl's own words for what went wrong.
    var detail: String {
        // SAFETY: libcurl writes a NUL-terminated text of at most CURL_ERROR_SIZE, CURLOPT_ERRORBUFFER(3); before that
        // it is all zeroes.
        String(cString: errorText)
    }

    private func setProtocolRules(_ hop: Hop, _ options: TransferOptions) {
        set(CURLOPT_PROTOCOLS_STR, options.allowHTTP ? "http,https" : "https")
        // Redirects are followed by the loop, which judges each hop as it judged the first.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Wait for a connection that may be shared rather than open one more. Over TLS the handshake tells whether it
        // may; over plain http nothing would before the first answer, and an origin that never gives it would hold up
        // all others.
        set(CURLOPT_PIPEWAIT, hop.url.isSecure ? 1 : 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = options.caFile {
            set(CURLOPT_CAINFO, file)
            // Else the system's directory of authorities, which Debian's libcurl knows beside its file, is asked too.
            check(ccurl_set_string(raw, CURLOPT_CAPATH, nil))
        }
        // Seconds: by default libcurl trusts what it has once read for a day, whatever the file says by then.
        set(CURLOPT_CA_CACHE_TIMEOUT, 1)
    }

    private func setConnection(_ hop: Hop, _ options: TransferOptions) {
        set(CURLOPT_NOSIGNAL, 1)
        // A look-up that never ends must not be waited for: that of a proxy's own name, the only one libcurl does.
        set(CURLOPT_QUICK_EXIT, 1)
        // Set even where there is none, or libcurl reads the environment.
        set(CURLOPT_PROXY, options.proxyThatLooksUp ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_MAXAGE_CONN, 60)
        // Larger pieces are fewer writes. A matter of pace alone: refused where the handle still has a buffer.
        _ = ccurl_set_long(raw, CURLOPT_BUFFERSIZE, 131_072)
        // libcurl shares this time out among a host's addresses; the loop's own deadline is the one that counts and
        // comes first.
        let milliseconds = hop.connectTime.wholeMilliseconds + 1000
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        // Longer than a pinned name can be waited for, else it might be looked up anew after the check.
        set(CURLOPT_DNS_CACHE_TIMEOUT, milliseconds / 1000 + 60)
    }

    private func setCallbacks(_ reception: Reception, isPinned: Bool) {
        // SAFETY: libcurl calls back only while this handle runs a hop, on the thread that runs it, and `reception` is
        // held until the next reset.
        let context = Unmanaged.passUnretained(reception).toOpaque()
        set(CURLOPT_HEADERDATA, pointer: context)
        check(
            ccurl_set_bytes_function(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                // SAFETY: libcurl lends so many bytes for the length of this call, CURLOPT_HEADERFUNCTION(3).
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Reception.from(context).takeHeader(line) ? line.count : 0
            })
        set(CURLOPT_WRITEDATA, pointer: context)
        check(
            ccurl_set_bytes_function(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                // SAFETY: libcurl lends so many bytes for the length of this call, CURLOPT_WRITEFUNCTION(3).
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                // Any other number than the one it was given ends the transfer; an empty piece has no other but this.
                return Reception.from(context).takeBody(piece) ? piece.count : piece.count + 1
            })
        set(CURLOPT_PREREQDATA, pointer: context)
        check(
            ccurl_set_before_request_function(raw) { context, remote, local, remotePort, localPort in
                context.map {
                    Reception.from($0).connected(.init(local, Int(localPort), remote, Int(remotePort)))
                }
                return CURL_PREREQFUNC_OK
            })
        set(CURLOPT_OPENSOCKETDATA, pointer: context)
        check(
            ccurl_set_open_socket_function(raw) { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return EasyHandle.openSocket(address, for: Reception.from(context))
            })
        // SAFETY: a connection keeps this pointer until it is closed; the multi handle, which closes its connections
        // before it goes, holds the object.
        set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(reception.sockets).toOpaque())
        check(
            ccurl_set_close_socket_function(raw) { context, socket in
                guard let context else { return close(socket) }
                // SAFETY: the context is the one that was set above.
                return Unmanaged<ConnectionSockets>.fromOpaque(context).takeUnretainedValue().close(socket)
            })
        // A name is pinned to its checked addresses; should libcurl be about to look it up all the same, it may not.
        // It would ask for hosts that are addresses too, so only where a name is pinned.
        if isPinned {
            check(ccurl_set_resolver_start_function(raw) { _, _, _ in 1 })
        }
    }

    /// The last look at an address, whatever way it came.
    private static func openSocket(
        _ address: UnsafeMutablePointer<curl_sockaddr>, for reception: Reception
    ) -> curl_socket_t {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return CURL_SOCKET_BAD }
        // SAFETY: libcurl lends `addrlen` bytes of a socket address that begin at `addr`, for the length of this call,
        // CURLOPT_OPENSOCKETFUNCTION(3).
        let target = IPAddress(
            socketAddress: UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen))
        guard reception.permits(target) else { return CURL_SOCKET_BAD }
        return reception.sockets.open(
            family: address.pointee.family, kind: address.pointee.socktype, protocolNumber: address.pointee.protocol)
    }

    private func set(_ option: CURLoption, _ value: Int) { check(ccurl_set_long(raw, option, value)) }
    private func set(_ option: CURLoption, offset: Int64) { check(ccurl_set_offset(raw, option, curl_off_t(offset))) }
    private func set(_ option: CURLoption, _ value: String) { check(ccurl_set_string(raw, option, value)) }
    private func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) {
        check(ccurl_set_pointer(raw, option, pointer))
    }

    private func set(_ option: CURLoption, lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = curl_slist_append(list, line) ?? list }
        guard let list else { return }
        lists.append(list)
        check(ccurl_set_list(raw, option, list))
    }

    /// An option fails only where libcurl was built without it or there is no memory, and going on without a guard
    /// that was asked for is worse than ending.
    private func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "curl_easy_setopt failed with \(code.rawValue)")
    }
}

extension Reception {
    fileprivate static func from(_ context: UnsafeMutableRawPointer) -> Reception {
        // SAFETY: the context given to libcurl beside each callback is a Reception that the handle holds.
        Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
    }
}

extension ConnectionSockets.Ends {
    /// What libcurl tells of a connection, CURLOPT_PREREQFUNCTION(3); nil where these are no addresses.
    fileprivate init?(
        _ local: UnsafePointer<CChar>?, _ localPort: Int, _ remote: UnsafePointer<CChar>?, _ remotePort: Int
    ) {
        // SAFETY: libcurl lends NUL-terminated texts for the length of the callback.
        guard let local, let remote, let localAddress = IPAddress(String(cString: local)),
            let remoteAddress = IPAddress(String(cString: remote))
        else { return nil }
        self.init(
            local: .init(address: localAddress, port: localPort),
            remote: .init(address: remoteAddress, port: remotePort))
    }
}

extension Duration {
    /// Rounded up, so that waiting so long is long enough; from 0 to about a year.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int(min(seconds, 31_536_000)) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
