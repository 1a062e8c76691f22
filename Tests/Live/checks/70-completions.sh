# What the shells offer, from a daemon with data.
# shellcheck shell=bash

as alice defaultsctl write org.example.Viewer "zoom level" -int 2
as alice defaultsctl once org.example.Viewer welcome
# define INTERFACE ID LIST ENTRY: with a list that has the one entry.
define() { as_call alice --user "" "$1" Define 'ssa{sv}' org.example.Viewer "$2" 1 "$3" 'aa{sv}' 1 1 "$4" s x >/dev/null; }
define Guides first-steps pages title
define Guides "new in 2" pages title
define Tours around steps id
as_call alice --user "" Tips Define 'ssa{sv}' org.example.Viewer try-zoom 1 title s x >/dev/null
check "bash completes" as alice bash "$PWD/completions/bash.sh"
check "zsh completes" as alice zsh -f "$PWD/completions/zsh.sh"
check "fish completes" as alice fish --no-config "$PWD/completions/fish.fish"
