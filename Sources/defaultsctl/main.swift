import DefaultsCommands
import Glibc

exit(CommandLineTool.run())
