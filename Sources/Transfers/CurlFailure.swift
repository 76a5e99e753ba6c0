import CCurl
import Stories

/// What libcurl's results mean: the one place where a CURLcode or CURLMcode is classified.
enum CurlFailure {
    /// The failure that `code` stands for, where nothing better is known. `detail` is the text libcurl had for it.
    static func classify(_ code: CURLcode, detail: String) -> TransferFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return TransferFailure(.dns, "The name of the host was not found.")
        case CURLE_COULDNT_CONNECT, CURLE_PROXY:
            return TransferFailure(.connect, "No connection could be made.")
        case CURLE_RECV_ERROR where isTunnelError(detail):
            return TransferFailure(.connect, "The proxy made no connection.")
        case CURLE_OPERATION_TIMEDOUT:
            return .connectTimedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            return TransferFailure(.tls, "The certificate is not trusted: \(detail)", mayPass: false)
        case CURLE_SSL_CONNECT_ERROR:
            return TransferFailure(.tls, "The TLS handshake failed: \(detail)")
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
            return TransferFailure(.tls, "TLS could not be set up: \(detail)", mayPass: false)
        case CURLE_PARTIAL_FILE:
            return .truncated
        case CURLE_RECV_ERROR where isChunkError(detail), CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY,
            CURLE_OUT_OF_MEMORY:
            // CURLE_OUT_OF_MEMORY is what a header line over libcurl's own limit gives: true want of memory does not
            // come back as an error here. CURLE_UNSUPPORTED_PROTOCOL is an answer without a status line; other
            // schemes than http and https never get as far as libcurl.
            return TransferFailure(.badResponse, "The answer is not well-formed HTTP.")
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            // CURLE_WRITE_ERROR where no callback refused a piece is bytes after the end of a compressed stream.
            return TransferFailure(.encoding, "The body's content encoding is unknown or damaged.")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .connectionLost
        default:
            return TransferFailure(.connectionLost, "The transfer failed: \(text(code)).")
        }
    }

    /// The failure of a transfer that libcurl did not take up, with its words for why.
    static func classify(_ code: CURLMcode) -> TransferFailure {
        // SAFETY: curl_multi_strerror(3) gives a constant string for every code.
        let words = curl_multi_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        return TransferFailure(.io, "The transfer could not be begun: \(words).")
    }

    /// A chunk that is not one: libcurl reports it like a reset, and only its words differ.
    private static func isChunkError(_ detail: String) -> Bool {
        detail.hasSuffix("in chunked-encoding")
    }

    /// A proxy that refused CONNECT: libcurl reports that like a reset too.
    private static func isTunnelError(_ detail: String) -> Bool {
        detail.hasPrefix("CONNECT tunnel failed")
    }

    private static func text(_ code: CURLcode) -> String {
        // SAFETY: curl_easy_strerror(3) gives a constant string for every code.
        curl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    }
}

extension TransferFailure {
    static let connectTimedOut = TransferFailure(.connect, "Connecting timed out.")
    static let truncated = TransferFailure(.truncated, "The connection was closed before the announced end.")
    static let connectionLost = TransferFailure(
        .connectionLost, "The connection was lost before the answer was complete.")
}
