import Daemon

DaemonProgram.main()
