import DefaultsInterface

// On the runtime's thread.
extension Link {
    /// Gives the page of the daemon that runs, or nil where it gives none.
    func withPage(_ proceed: @escaping (GenerationMap?) -> Void) {
        if let page, page.isLive { return proceed(page) }
        if isPageRefused { return proceed(nil) }
        waitingForPage.append(proceed)
        guard waitingForPage.count == 1 else { return }
        call(PreferencesInterface.name, PreferencesInterface.generations, []) { [weak self] result in
            guard let self else { return }
            page = nil
            switch result {
            case .success(let reply):
                if case .unixFD(let descriptor)? = reply.first { page = GenerationMap(descriptor) }
            case .failure(let error): isPageRefused = error.code != .unreachable
            }
            let waiting = waitingForPage
            waitingForPage = []
            for proceed in waiting { proceed(page) }
        }
    }

    /// Forgets the page of an instance that no longer answers.
    func dropPage() { page = nil }
}
