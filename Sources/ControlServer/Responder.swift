import ControlAPI
import JSON

/// Turns orders into replies by asking the daemon.
struct Responder: Sendable {
    let service: any ControlService

    /// The answer to one order; takes as long as the daemon takes.
    func reply(to order: Order, body: [UInt8], from peer: Peer) async -> Reply {
        do throws(APIError) {
            return try await answer(order, body, peer)
        } catch {
            return Reply(error)
        }
    }

    private func answer(_ order: Order, _ body: [UInt8], _ peer: Peer) async throws(APIError) -> Reply {
        let id = order.segments["id"] ?? ""
        switch order.route.endpoint {
        case .status:
            return Reply(await service.status().json)
        case .groups:
            return Reply(GroupList(groups: await service.status().groups).json)
        case .provision:
            let (group, isNew) = try await service.provision(try Self.groupID(in: body))
            return Reply(status: isNew ? 201 : 200, group.json)
        case .stories:
            return Reply(try await service.stories(try StoryQuery(order.query), for: peer).json)
        case .accept:
            return try await accept(order, body)
        case .story:
            let manifest = try await service.manifest(id: id, group: try order.query.group(), for: peer)
            return Reply(body: .bytes(manifest))
        case .delete:
            try await service.delete(id: id, group: try order.query.group(), for: peer)
            return Reply(["deleted": .string(id)])
        case .image:
            let (text, group) = (order.segments["page"] ?? "", try order.query.group())
            guard let page = try Self.page(text) else {
                // What is wrong with the story is told first.
                _ = try await service.manifest(id: id, group: group, for: peer)
                throw .notFound("story \(id) has no page \(text)")
            }
            return Self.reply(with: try await service.image(id: id, page: page, group: group, for: peer))
        case .events:
            let body = order.isHead ? .noEvents : Reply.Body.events(try await service.events(for: peer))
            return Reply(contentType: "application/x-ndjson", body: body)
        case .media:
            guard let url = order.query["url"] else { throw .badRequest("url: expected the URL that is asked about") }
            return Reply(try await service.media(url, for: peer).json)
        case .verify:
            return Reply(try await service.verify().json)
        case .evict:
            return Reply(try await service.evict(try Eviction(try Self.json(body))).json)
        case .configuration:
            return Reply(await service.configuration())
        case .health:
            let health = await service.health()
            return Reply(status: health.isWorking ? 200 : 503, health.json)
        case .metrics:
            return Reply(
                contentType: "text/plain; version=0.0.4; charset=utf-8", body: .bytes(await service.metrics()))
        }
    }

    private func accept(_ order: Order, _ body: [UInt8]) async throws(APIError) -> Reply {
        let wait = try order.query.integer("wait", in: Acceptance.waits)
        let acceptance = try await service.accept(
            body, group: try order.query.group(), wait: wait.map { .seconds($0) })
        let isOne = acceptance.stories.count == 1
        if let settled = acceptance.settled {
            // Joined as they are: what is on disk is what is answered.
            let list = Array(#"{"stories": ["#.utf8) + settled.joined(separator: Array(", ".utf8)) + Array("]}".utf8)
            return Reply(body: .bytes(isOne ? settled[0] : list))
        }
        return Reply(
            status: 202,
            isOne ? acceptance.stories[0].json : ["stories": .array(acceptance.stories.map { .object($0.json) })])
    }

    private static func reply(with image: PageImage) -> Reply {
        var reply = Reply(contentType: image.mediaType, body: .file(image.file, size: image.bytes))
        reply.headers = [("ETag", "\"\(image.contentID)\"")]
        return reply
    }

    /// The index of a page; nil for a number that is larger than any.
    private static func page(_ text: String) throws(APIError) -> Int? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw .badRequest("a page is named by its index, a whole number from 0")
        }
        return Int(text)
    }

    /// The id in `{"id": …}`.
    private static func groupID(in body: [UInt8]) throws(APIError) -> String {
        guard let object = try json(body).objectValue, object.keys == ["id"], let id = object["id"]?.stringValue else {
            throw .badRequest(#"expected a body like {"id": "group.com.example.app"}"#)
        }
        return id
    }

    private static func json(_ body: [UInt8]) throws(APIError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(body)
        } catch {
            throw .badRequest("the body is no JSON: \(error)")
        }
    }
}
