import Platform

/// One change of a container that is to last, in steps: between them what they name is waited for until it is on disk.
/// Many are made together, step by step, so that they wait together. Made in one turn of `CacheStorage`, which owns it.
protocol DurableChange: AnyObject {
    var container: Container { get }
    /// How many bytes it writes.
    var bytes: Int64 { get }

    /// Writes what is new, where no reader looks. Gives what must be on disk before the next step.
    func write(_ storage: isolated CacheStorage) throws(CacheFailure) -> [Synchronizer.Target]
    /// Gives it its name. Gives what must be on disk before it counts.
    func name(_ storage: isolated CacheStorage) throws(CacheFailure) -> [Synchronizer.Target]
    /// Notes that it is done.
    func finish(_ storage: isolated CacheStorage) throws(CacheFailure)
    /// Clears away what a step that failed has left.
    func abandon()
}
