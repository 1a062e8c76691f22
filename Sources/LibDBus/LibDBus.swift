// LibDBus
