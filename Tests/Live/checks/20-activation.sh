# From nothing to an answer, on both buses.
# shellcheck shell=bash

check "the first call on the system bus starts the daemon" exits 0 as_call alice --system "" Preferences Set ssv "$app" font-size x 14
check "systemd has it as active" is active systemctl is-active defaultsd.service
check "it runs as its own user" is defaultsd stat -c %U "/proc/$(main_process)"
check "what was set is there" is "v x 14" as_call alice --system "" Preferences Get ss "$app" font-size
check "the store is of the user and private" is "700 defaultsd" stat -c "%a %U" "/var/lib/defaultsd/$alice"
check "systemctl status says how it is" eventually says 'Status: "Serving org.defaultsd1; every store opened is healthy"' systemctl status --no-pager defaultsd.service

check "the first call on the session bus starts the user's daemon" exits 0 as_call alice --user "" Preferences Set ssv "$app" font-size x 11
check "it runs as the user" is alice stat -c %U "/proc/$(property alice MainPID)"
check "the user's systemd has it as active" is active as alice systemctl --user is-active defaultsd.service
check "its status too" eventually says 'Status: "Serving org.defaultsd1; store healthy"' as alice systemctl --user status --no-pager defaultsd.service
check "the user's store is at home and private" is "700 alice" stat -c "%a %U" /home/alice/.config/defaultsd
check "each has its own data" is 11 as alice defaultsctl read "$app" font-size
check "defaultsctl --system reaches the machine's" is 14 as alice defaultsctl --system read "$app" font-size
