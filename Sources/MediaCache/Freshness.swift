package import Platform

/// How long an answer may serve without asking again, and what to ask with afterwards: RFC 9111 for a private cache.
/// Pure: the moment is passed in.
package struct Freshness: Sendable, Equatable {
    /// For `If-None-Match`, as it came.
    package let etag: String?
    /// For `If-Modified-Since`, as it came.
    package let lastModified: String?
    package let obtainedAt: Timestamp
    /// From here on it is stale.
    package let freshUntil: Timestamp
    /// Whether it may serve others than those who waited for it.
    package let isReusable: Bool

    package init(
        etag: String?, lastModified: String?, obtainedAt: Timestamp, freshUntil: Timestamp, isReusable: Bool
    ) {
        self.etag = etag
        self.lastModified = lastModified
        self.obtainedAt = obtainedAt
        self.freshUntil = freshUntil
        self.isReusable = isReusable
    }

    /// What the headers of an answer received at `now` allow.
    package init(_ headers: ResponseHeaders, now: Timestamp) {
        let control = CacheControl(headers.cacheControl ?? "")
        // The origin's clock is compared with itself alone: clocks that disagree must not make all stale or immortal.
        // Of a list of ages the first counts (RFC 9111, section 5.1).
        let age = headers.age?.split(separator: ",").first.flatMap { CacheControl.seconds($0) } ?? 0
        let lifetime = Self.lifetime(headers, control, now: now) - age
        self.init(
            etag: headers.etag, lastModified: headers.lastModified, obtainedAt: now,
            freshUntil: now.advanced(bySeconds: Double(min(max(lifetime, 0), Self.longest))),
            isReusable: !control.isNoStore && Self.isSameForAll(vary: headers.vary ?? ""))
    }

    /// The same of an object that its origin has said is unchanged: what the answer does not say stays as it was.
    package func renewed(by headers: ResponseHeaders, now: Timestamp) -> Freshness {
        var merged = headers
        merged.etag = headers.etag ?? etag
        merged.lastModified = headers.lastModified ?? lastModified
        // What must be asked about each time, and is not said to be otherwise, still must be.
        if freshUntil <= obtainedAt, headers.cacheControl == nil, headers.expires == nil {
            merged.cacheControl = "no-cache"
        }
        return Freshness(merged, now: now)
    }

    /// What is assumed of an object whose answer is forgotten: it is taken as one that said nothing.
    package static func assumed(at moment: Timestamp) -> Freshness {
        Freshness(ResponseHeaders(), now: moment)
    }

    /// Whether it may serve at `now` without asking again. Not where it seems to come from more than a day ahead: the
    /// clock was wrong then or is wrong now, and nothing must live on for years over that.
    package func isFresh(at now: Timestamp) -> Bool {
        isReusable && now < freshUntil && now >= obtainedAt.advanced(bySeconds: -Double(Self.day))
    }

    /// Whether it may serve somebody who has wanted it since `moment`: it is fresh, or was obtained after that, and then
    /// a request of his own would have brought nothing newer.
    func serves(wantedSince moment: Timestamp, at now: Timestamp) -> Bool {
        isFresh(at: now) || (isReusable && moment <= obtainedAt && obtainedAt <= now)
    }

    /// Seconds.
    private static let day: Int64 = 86_400
    /// Seconds: nothing is fresh for longer, whatever it says.
    private static let longest = 365 * day

    /// Seconds from the answer's making.
    private static func lifetime(_ headers: ResponseHeaders, _ control: CacheControl, now: Timestamp) -> Int64 {
        if control.isNoCache { return 0 }
        if let maxAge = control.maxAge { return maxAge }
        if control.isImmutable { return longest }
        let date = headers.date.flatMap { HTTPDate.parse($0, now: now) } ?? now
        if let expires = headers.expires {
            // What is no date, `0` above all, is in the past (RFC 9111, section 5.3).
            return HTTPDate.parse(expires, now: now).map { seconds(from: date, to: $0) } ?? 0
        }
        // Nothing said: a tenth of the time that it has been unchanged; a week at most, and a second at least, which is
        // the grain of these dates.
        if let changed = headers.lastModified.flatMap({ HTTPDate.parse($0, now: now) }), changed <= date {
            return min(max(seconds(from: changed, to: date) / 10, 1), 7 * day)
        }
        return day
    }

    private static func seconds(from start: Timestamp, to end: Timestamp) -> Int64 {
        (end.milliseconds - start.milliseconds) / 1000
    }

    /// All requests send the same `Accept` and `Accept-Encoding`; of other headers that is not promised.
    private static func isSameForAll(vary: String) -> Bool {
        vary.split { $0 == "," || $0 == " " || $0 == "\t" }
            .allSatisfy { ["accept", "accept-encoding"].contains($0.lowercased()) }
    }
}
