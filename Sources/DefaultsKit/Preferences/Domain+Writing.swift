import DBusTypes

extension Domain {
    /// Writes: at once for this process's reads, then in order for the daemon; from any thread.
    @discardableResult
    func write(
        _ changes: [(MirrorKey, Overlay.Change)], _ member: MemberName, _ arguments: [Value], isRepeatable: Bool = true,
        completion: @escaping @Sendable (Result<[Value], DefaultsError>) -> Void = { _ in }
    ) -> PendingWrite {
        let write = PendingWrite()
        // The order in which reads see the writes is the order in which they are sent.
        change {
            let number = memory.pointee.overlay.add(changes)
            link.runtime.run { [self] in
                let operation = WriteOperation(member, arguments, isRepeatable: isRepeatable, write: write) { [self] result in
                    answered(number, changes.map(\.0), result)
                    completion(result)
                }
                link.writes.add(operation)
                notify()
            }
        }
        return write
    }

    private func answered(_ number: UInt64, _ keys: [MirrorKey], _ result: Result<[Value], DefaultsError>) {
        switch result {
        case .success(let reply):
            let revision = reply.first?.get(as: UInt64.self) ?? 0
            change {
                memory.pointee.overlay.acknowledge(number, keys, revision: revision)
                // Nothing that was read before could contradict it.
                memory.pointee.overlay.settle(at: memory.pointee.snapshot.hasValues ? memory.pointee.snapshot.revision : .max)
            }
        case .failure(let error):
            change { memory.pointee.overlay.remove(number, keys) }
            if !keys.isEmpty { watchers.tell(WriteFailure(keys: keys.map(\.text), error: error)) }
        }
        notify()
    }
}
