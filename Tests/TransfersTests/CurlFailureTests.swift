import CCurl
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// What libcurl's results mean.
struct CurlFailureTests {
    @Test(arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, PageError.Code.dns, true), (CURLE_COULDNT_RESOLVE_PROXY, .dns, true),
        (CURLE_COULDNT_CONNECT, .connect, true), (CURLE_PROXY, .connect, true),
        (CURLE_OPERATION_TIMEDOUT, .connect, true), (CURLE_SSL_CONNECT_ERROR, .tls, true),
        (CURLE_PEER_FAILED_VERIFICATION, .tls, false), (CURLE_SSL_CACERT_BADFILE, .tls, false),
        (CURLE_PARTIAL_FILE, .truncated, true), (CURLE_WEIRD_SERVER_REPLY, .badResponse, false),
        (CURLE_UNSUPPORTED_PROTOCOL, .badResponse, false), (CURLE_OUT_OF_MEMORY, .badResponse, false),
        (CURLE_BAD_CONTENT_ENCODING, .encoding, false), (CURLE_WRITE_ERROR, .encoding, false),
        (CURLE_RECV_ERROR, .connectionLost, true),
        (CURLE_SEND_ERROR, .connectionLost, true), (CURLE_GOT_NOTHING, .connectionLost, true),
        (CURLE_HTTP2, .connectionLost, true), (CURLE_HTTP2_STREAM, .connectionLost, true),
    ])
    func `each result has one meaning`(code: CURLcode, meaning: PageError.Code, mayPass: Bool) {
        let failure = CurlFailure.classify(code, detail: "")
        #expect(failure.code == meaning)
        #expect(failure.mayPass == mayPass)
    }

    @Test func `a broken chunk is told from a reset by libcurl's words`() {
        let failure = CurlFailure.classify(
            CURLE_RECV_ERROR, detail: "Illegal or missing hexadecimal in chunked-encoding")
        #expect(failure.code == .badResponse)
    }

    @Test func `a proxy that refuses is told from a reset likewise`() async throws {
        #expect(
            CurlFailure.classify(CURLE_RECV_ERROR, detail: "Recv failure: Connection reset").code == .connectionLost)
        let proxy = try ScriptedOrigin()
        proxy.script("origin.test:443", .status("403 Forbidden"))
        let fixture = try TransferFixture { $0.proxy = "http://127.0.0.1:\(proxy.port)" }
        #expect(try await fixture.failure("https://origin.test/").code == .connect)
    }
}
