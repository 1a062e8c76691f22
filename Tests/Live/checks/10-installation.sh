# Packages on a running system.
# shellcheck shell=bash

# Where units are called by their names on both sides.
broker_unit=$broker.service
if [[ $broker == dbus-daemon ]]; then broker_unit=dbus.service; fi
check "the system bus is $broker" is "$broker_unit" systemctl show --value --property=Id dbus.service
check "the session bus is $broker" is "$broker_unit" as alice systemctl --user show --value --property=Id dbus.service

# Each time the manual pages of the whole machine would be looked through.
rm -f /var/lib/man-db/auto-update
packages() { dpkg --install packages/defaultsd_*.deb packages/defaultsctl_*.deb packages/libdefaultskit-dev_*.deb; }
check "the packages install" packages
check "installing starts nothing" is inactive systemctl is-active defaultsd.service
check "the unit is what the system bus starts" is defaultsd.service systemctl show --value --property=Id dbus-org.defaultsd1.service
check "the user's unit is what session buses start" is defaultsd.service as alice systemctl --user show --value --property=Id dbus-org.defaultsd1.service
check "the service's user has no login" says 'nologin$' getent passwd defaultsd
check "the service's user is none of the people" test "$(id -u defaultsd)" -lt 1000
check "the client library is a package that Swift's tools can read" test -s /usr/share/swift/defaultskit/Package.swift
