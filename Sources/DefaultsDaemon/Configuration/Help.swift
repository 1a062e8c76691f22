/// What `defaultsd --help` prints.
enum Help {
    static let text = """
        Usage: defaultsd [OPTION]...
        Owns the preferences, launches and countdowns of applications and serves them on D-Bus as org.defaultsd1.

          --session, --user       one user's data on the session bus (the default)
          --system                every user's data, kept apart, on the system bus
          --address=ADDRESS       serve on the bus at this D-Bus address instead
          --store=DIRECTORY       keep the data here instead of $XDG_CONFIG_HOME/defaultsd or, with --system,
                                  /var/lib/defaultsd; systemd's CONFIGURATION_DIRECTORY and STATE_DIRECTORY
                                  are honoured
          --config=DIRECTORY      a folder of configuration; again for more, later ones win
                                  (default: /usr/share/defaultsd, /usr/local/share/defaultsd, /etc/defaultsd)
          --test-clock            time stands still; org.defaultsd1.TestClock moves it
          --limits=none           no quotas by connection and user, for measuring
          --introspect=DIRECTORY  write the interfaces' XML files here and exit
          --help                  print this and exit
          --version               print the version and exit

        SIGTERM and SIGINT finish what was accepted and exit. SIGHUP reads the configuration again.
        Exit status: 0 stopped, 64 usage, 69 no bus or the bus went away, 73 --store can't be a directory,
        74 the store can't be read, 75 the name or the store is another daemon's.

        """
}
