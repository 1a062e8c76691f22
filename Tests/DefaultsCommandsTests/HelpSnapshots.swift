/// What `--help` prints, as it was read and approved.
enum HelpSnapshots {
    static let program = """
        Usage: defaultsctl [OPTION…] COMMAND …

        Reads and changes preferences, launches and countdowns of defaultsd.

        Commands:
          read DOMAIN [KEY]         print a value, or all of a domain's
          write DOMAIN KEY VALUE    set a value
          delete DOMAIN [KEY]       remove the user's value of a key, or of all keys of a domain
          increment DOMAIN KEY [BY] add to an integer, 1 by default, and print the result
          domains                   list the domains
          keys DOMAIN               list the keys of a domain
          locked DOMAIN             list the keys that the administrator has locked
          describe DOMAIN KEY       print all that is known of a key
          find TEXT                 list preferences with TEXT in the domain, the key or the value
          watch DOMAIN [KEY…]       print changes as they happen, until interrupted
          export [DOMAIN…]          write your values as JSON to standard output
          import FILE               take over what "export" wrote
          forget APP                remove all that is stored of an application
          launch record APP VERSION record a launch and print what kind it is
          launch show APP           print the last launch
          launch history APP        list the versions launched, newest first
          launch forget APP         forget the launches, history and flags of APP
          once APP FLAG             exit 0 the first time, 1 ever after
          flags APP                 list the flags that are set, and since when
          countdown SECONDS         count down in the terminal
          countdowns                list the live countdowns
          countdowns skip TOKEN     skip a countdown
          countdowns pause TOKEN    stop the clock of a countdown
          countdowns resume TOKEN   let the clock of a countdown go on
          countdowns cancel TOKEN   cancel a countdown
          status                    print what is known of the daemon, its bus and its store
          machine set-default DOMAIN KEY VALUE
                                    suggest a value to every user
          machine set-mandatory DOMAIN KEY VALUE
                                    impose a value on every user, and lock the key
          machine reset-default DOMAIN KEY
                                    take back what set-default set
          machine reset-mandatory DOMAIN KEY
                                    take back what set-mandatory set
          machine reload            read all configuration files again
          check FILE…               say what is wrong with configuration files

        Options:
          --user                    the daemon on the user's bus; this is the default
          --system                  the daemon on the system bus
          --address=ADDRESS         the daemon on the bus at a D-Bus address
          --json=short|pretty       print results as JSON, as busctl does
          --quiet                   leave out what only informs
          --help                    print help, on a command if one is given
          --version                 print the version

        Exit status: 0 yes; 1 no, or absent; 64 wrong usage; 65 a name or value that can't be; 69 no daemon; 74 the disk;
        75 not now; 77 locked, or not allowed. "defaultsctl COMMAND --help" says more.

        """

    static let write = """
        Usage: defaultsctl write DOMAIN KEY VALUE [--if-absent | --expect=OLD]

        Set a value.

          -bool yes|no              a truth value (b)
          -int NUMBER               an integer (x)
          -uint NUMBER              an integer without a sign (t)
          -float NUMBER             a number (d); also inf, -inf, nan
          -string TEXT              a text (s), whatever it begins with
          -data HEX                 bytes (ay), two hexadecimal digits each
          -date ISO                 microseconds since 1970 (x), from a date such as 2026-01-31T12:00:00Z
          -array                    an array of the values that follow
          -array-add                append the values that follow to the array that is there
          -dict                     a dictionary (a{sv}) of the keys and values that follow
          -dict-add                 put the keys and values that follow into the dictionary that is there
          --type=SIGNATURE          any D-Bus type; the values follow as busctl takes them
          --if-absent               only if the user has no value yet; exit 1 otherwise
          --expect=OLD              only if the value is OLD and of the new one's type; exit 1 otherwise

        A plain word is a text. In -array and -dict so is each value, unless a flag such as -int stands before it; an array of one
        type is an array of that type, a mixed one holds variants. The date is in UTC unless it says otherwise.
          defaultsctl write org.example.App greeting "Hello"
          defaultsctl write org.example.App retries -int -1
          defaultsctl write org.example.App recent -array-add ~/notes.txt
          defaultsctl write org.example.App size --type '(ii)' 800 600
          defaultsctl write org.example.App step -int 4 --expect=3

        """

    static let countdown = """
        Usage: defaultsctl countdown SECONDS [--tick=MS] [--skippable-after=MS] [--purpose=TEXT] [--on-suspend=pause]

        Count down in the terminal.

          --tick=MS                 the time from tick to tick; 1000 by default
          --skippable-after=MS      when it may be skipped; at once by default
          --purpose=TEXT            what it is for
          --on-suspend=pause        stop the clock while the machine sleeps

        s, space or Enter skips. Exit 0 when it has elapsed, 10 when it was skipped, 130 when it was interrupted or cancelled.
        Where standard output is no terminal, prints a line each tick.

        """
}
