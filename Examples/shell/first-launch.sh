#!/usr/bin/env bash
# A script that knows its first run and counts its runs, through busctl alone.
set -euo pipefail

readonly app=org.example.Shell
daemon() { busctl --user call org.defaultsd1 /org/defaultsd1 "org.defaultsd1.$1" "${@:2}"; }

if [[ $(daemon Launches Once ss "$app" greeting) == "b true" ]]; then
    echo "Hello! This is shown once, whatever crashes."
fi

daemon Preferences RegisterDefaults 'sa{sv}' "$app" 1 runs t 0 >/dev/null
echo "run number $(daemon Preferences Increment ssx "$app" runs 1 | cut -d ' ' -f 2)"
