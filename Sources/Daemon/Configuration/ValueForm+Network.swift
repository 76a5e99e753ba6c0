import Addresses
import JSON

extension ValueForm where Value == [AddressRange] {
    static var addressRanges: Self {
        let rule = "a list of CIDR ranges such as \"10.0.0.0/8\" or \"fd00::/8\""
        return Self(rule: rule) { (json) throws(Misfit) in
            try elements(of: json) { (element) throws(Misfit) in
                guard let range = element.stringValue.flatMap({ AddressRange($0) }) else {
                    throw Misfit(found: element)
                }
                return range
            }
        } write: { ranges in
            .array(ranges.map { .string($0.description) })
        }
    }
}

extension ValueForm where Value == ProxyURL {
    static var proxy: Self {
        let schemes = ProxyURL.schemes.joined(separator: ", ")
        let rule = "a proxy's URL SCHEME://[USER:PASSWORD@]HOST[:PORT] with a scheme of \(schemes)"
        return Self(rule: rule) { (json) throws(Misfit) in
            // What was found may hold a password.
            guard let text = json.stringValue else { throw Misfit(kindOf: json) }
            guard let proxy = ProxyURL(text) else { throw Misfit("found a text of another form") }
            guard !proxy.isMasked else { throw Misfit("its user and password are \(SecretMask.finding)") }
            return proxy
        } write: { proxy in
            .string(proxy.description)
        }
    }
}

extension ValueForm where Value == [String: [String: String]] {
    /// Headers by host. Values are secrets and appear in no error.
    static var hostHeaders: Self {
        Self(rule: "an object {\"host\": {\"Name\": \"value\"}}") { (json) throws(Misfit) in
            guard let hosts = json.objectValue else { throw Misfit(kindOf: json) }
            var result: Value = [:]
            for (host, fields) in hosts.members {
                try checkHost(host)
                guard let fields = fields.objectValue else {
                    throw Misfit("\"\(host)\" has no object {\"Name\": \"value\"}")
                }
                result[host] = try headers(fields, of: host)
            }
            return result
        } write: { hosts in
            .object(
                JSONObject(
                    hosts.sorted { $0.key < $1.key }.map { host, headers in
                        (host, .object(JSONObject(headers.keys.sorted().map { ($0, .string(SecretMask.text)) })))
                    }))
        }
    }

    private static func checkHost(_ host: String) throws(Misfit) {
        let isAddress = host.utf8.contains(UInt8(ascii: ":"))
        // The host of a URL is what it will be compared with, so a URL says how it is to be written.
        guard let url = try? WebURL("https://\(isAddress ? "[\(host)]" : host)"), url.request.hasSuffix("/"),
            !host.contains("/")
        else {
            throw Misfit("\"\(host)\" is no host: a name or an address alone, without scheme, port or path")
        }
        guard url.host == host else { throw Misfit("\"\(host)\" is to be written \"\(url.host)\"") }
    }

    private static func headers(_ fields: JSONObject, of host: String) throws(Misfit) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in fields.members {
            guard isToken(name) else {
                throw Misfit(
                    "\"\(host)\": \(JSONValue.string(name).serialized()) is no header's name (letters, digits and dashes)"
                )
            }
            guard !ownHeaders.contains(name.lowercased()) else {
                throw Misfit("\"\(host)\": the header \(name) is set by each transfer itself and must be left out")
            }
            guard let text = value.stringValue, isHeaderValue(text) else {
                throw Misfit("\"\(host)\": the value of \(name) is no text, is empty or has control characters")
            }
            guard text != SecretMask.text else {
                throw Misfit("\"\(host)\": the value of \(name) is \(SecretMask.finding)")
            }
            headers[name] = text
        }
        return headers
    }

    /// What a transfer decides by what it has and wants; another value would break resuming or framing.
    private static var ownHeaders: Set<String> {
        [
            "accept", "accept-encoding", "connection", "content-length", "host", "if-modified-since", "if-none-match",
            "if-range", "range", "te", "transfer-encoding", "upgrade",
        ]
    }

    /// RFC 9110's token.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }
}

/// Whether a header may have this value: nothing in it can end the line or be taken away by libcurl as empty.
func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && text.utf8.contains { $0 != 0x20 }
}
