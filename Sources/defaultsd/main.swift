import DefaultsDaemon
import Glibc

exit(DaemonProgram.run(Array(CommandLine.arguments.dropFirst())))
