/// What `--help` prints, as it was read and approved.
enum HelpSnapshots {
    static let program = """
        Usage: defaultsctl [OPTION…] COMMAND …

        Reads and changes preferences, launches, guides, tours, tips and countdowns of defaultsd.

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
          guide list APP            list the guides of APP
          guide show APP GUIDE      print the state of a guide
          guide present APP GUIDE   show a guide in the terminal, if it is due
          guide reset APP GUIDE     forget what you have seen of a guide
          guide remove APP GUIDE    remove a guide that APP has defined
          tour list APP             list the tours of APP
          tour show APP TOUR        print the state of a tour
          tour start APP TOUR       show a tour in the terminal, if it is due, from the step where it was left
          tour reset APP TOUR       forget what you have seen of a tour
          tour remove APP TOUR      remove a tour that APP has defined
          tip list APP              list the tips of APP
          tip present APP TIP       show a tip in the terminal, if it is available
          tip donate APP EVENT [COUNT]
                                    count an event, once or COUNT times, and print how often it happened
          tip snooze APP TIP SECONDS
                                    put a tip off
          tip reset APP TIP         forget what you have seen of a tip
          countdown SECONDS         count down in the terminal
          countdowns                list the live countdowns
          countdowns skip TOKEN     skip a countdown
          countdowns pause TOKEN    stop the clock of a countdown
          countdowns resume TOKEN   let the clock of a countdown go on
          countdowns cancel TOKEN   cancel a countdown
          explain APP guide|tour|tip|preference ID
                                    say why something is shown, or a value is what it is, and why not
          inhibit COMMAND…          run a command while nothing new is shown to you
          stats APP                 print how often guides, tours and tips were shown and how they ended
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
        Where standard output is no terminal, prints a line each tick. If the daemon goes away, waits up to 10 seconds for it
        to come back and goes on with it; exit 69 if it doesn't.

        """

    static let launchRecord = """
        Usage: defaultsctl launch record APP VERSION [--existing-user]

        Record a launch and print what kind it is.

          --existing-user           the user had APP before it recorded launches here

        Prints a line for each of these, sorted by name: the name, a tab, the value; - for a time when there was nothing.

          kind                      first, adopted, upgrade, same, rebuild, downgrade, changed or unknown
          significance              the first part of the version that differs: epoch, major, minor, patch or prerelease; empty
                                    if none does
          owner                     true for exactly one of the processes that record the same transition at once
          revisit                   true for an upgrade to a version no higher than the highest one so far
          version                   the version recorded, as sent
          previous_version          the last version before this one; empty if there is none
          highest_version           the highest release so far, or the highest pre-release while there is no release
          first_version             the first version ever recorded
          launches                  how many launches there were, this one included
          launches_of_version       how many launches of this version there were, this one included
          first_launch              when the first launch was
          previous_launch           when the launch before this one was
          pending                   the guides that are due now, in the order to present them

        Of the kinds, first is the first launch ever, adopted that of a user who had APP before it recorded launches, upgrade one of
        a higher version than the last and downgrade one of a lower, same and rebuild one of the same version or of another build of
        it, changed one of a version that can't be compared, and unknown one after a loss of data. Of several processes that launch
        a new version at once, one is told so, with owner true, and the others get same.

        """

    static let guidePresent = """
        Usage: defaultsctl guide present APP GUIDE [--replay]

        Show a guide in the terminal, if it is due.

          --replay                  show it whatever you have seen, and record nothing of it

        →, l, space or Enter turns to the next page, ← or h back. Going on from the last page completes the guide; one with a
        button is completed by Enter or space there. s skips it or its countdown, q or Escape dismisses it, Ctrl-C releases it:
        it is due again.

        Prints how it ended, and exits 0 when the user or its time has ended it, 10 if it was skipped,
        130 if it was interrupted or ended by something else.
        Exits 1 with the reason if it isn't due, 75 if it is, but something else is being shown or holds it back. Where standard input
        or output is no terminal, and with --json or --quiet, the guide is printed page by page and released.

        """

    static let inhibit = """
        Usage: defaultsctl inhibit [--why=TEXT] COMMAND…

        Run a command while nothing new is shown to you.

          --why=TEXT                what to tell those who ask; COMMAND by default

        No guide, tour or tip begins, whatever the application; what is shown already stays. Options go before COMMAND: what
        follows is its own. Exits as COMMAND does, with 128 and the signal's number if one ended it, 127 if there is no COMMAND
        and 126 if it can't be run.
          defaultsctl inhibit --why="Presentation" impressive slides.pdf

        """

    static let tipList = """
        Usage: defaultsctl tip list APP

        List the tips of APP.

        Prints, with tabs between them, and - for what is empty:

          id                        the tip
          available                 whether it would be shown now
          reason                    the first gate that it doesn't pass; empty if it is available
          invalid                   why it is used up: action, closed, display_count, display_duration, revision or policy;
                                    empty if it isn't
          revision                  the revision of its definition
          display_count             how often it was presented
          source                    who defined it: bus or manifest

        """
}
