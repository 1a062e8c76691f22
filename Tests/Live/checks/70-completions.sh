# What the shells offer, from a daemon with data.
# shellcheck shell=bash

as alice defaultsctl write org.example.Viewer "zoom level" -int 2
as alice defaultsctl once org.example.Viewer welcome
check "bash completes" as alice bash "$PWD/completions/bash.sh"
check "zsh completes" as alice zsh -f "$PWD/completions/zsh.sh"
check "fish completes" as alice fish --no-config "$PWD/completions/fish.fish"
