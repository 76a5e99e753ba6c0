import Addresses
import ImageInspection

/// One request of a transfer, ready to be made: to the URL it was asked for, or to one that a redirect led to.
struct Hop {
    let url: WebURL
    /// What the name of the host stands for, checked; nil where libcurl is to look up no name of an origin: the host
    /// is an address, or a proxy looks it up.
    let addresses: [IPAddress]?
    let validators: Validators?
    let rest: RestRequest?
    /// Whether an earlier hop of the transfer went to another host.
    let hasLeftHost: Bool
    /// What is left for the connection.
    let connectTime: Duration

    /// More addresses of one name are not tried.
    static let maximumAddresses = 16

    /// The entry for CURLOPT_RESOLVE(3) that pins the name to its checked addresses. The `+` lets libcurl forget it:
    /// otherwise it would keep every name for as long as the loop lives.
    var resolveEntry: String? {
        guard let addresses else { return nil }
        let list = addresses.prefix(Self.maximumAddresses).map { address in
            switch address {
            case .v4: address.description
            case .v6: "[\(address)]"
            }
        }
        return "+\(url.host):\(url.port):" + list.joined(separator: ",")
    }

    /// The request's own header lines beside those that libcurl writes.
    func headerLines(_ options: TransferOptions) -> [String] {
        let accept = options.imageTypes.map(\.mediaType).joined(separator: ",")
        var lines = ["Accept: \(accept)"] + (validators?.headerLines ?? [])
        lines += rest?.headerLines ?? []
        if url.isSecure, !hasLeftHost {
            let own = options.headers.filter { $0.key.lowercased() == url.host }.flatMap(\.value)
            // A line break in a value would be another header.
            lines += own.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.filter { line in
                line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            }
        }
        return lines
    }
}
