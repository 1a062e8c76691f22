// DefaultsStore
