// DefaultsDaemon
