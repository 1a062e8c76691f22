// DefaultsInterface
