#!/usr/bin/python3
"""Runs the examples without a window on a daemon of their own and compares what they print: programs.py PROGRAMS."""

import argparse
import subprocess

from stage import ROOT, Stage


def same(what, printed, expected):
    assert printed == expected, f"{what} printed\n{printed}and not\n{expected}"
    print(f"ok: {what}", flush=True)


def shell(stage):
    script = "Examples/shell/first-launch.sh"
    same("shell, first run", stage.run(script), "Hello! This is shown once, whatever crashes.\nrun number 1\n")
    same("shell, second run", stage.run(script), "run number 2\n")


def python(stage):
    words = ("/usr/bin/python3", "Examples/python/first_launch.py")
    ticks = "tick: 3\ntick: 2\ntick: 1\ntick: 0\ncountdown: elapsed\n"
    same(
        "Python, first launch", stage.run(*words, "1.9"),
        "launch: first, owner: True, before: nothing\nwelcome: for the first and the last time\n"
        "values: theme=light, volume=7\nchanged: theme = dark\n" + ticks)
    same(
        "Python, after an update", stage.run(*words, "1.10"),
        "launch: upgrade, owner: True, before: 1.9\nvalues: theme=dark, volume=7\nchanged: theme = light\n" + ticks)


def c(stage):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsystemd"], capture_output=True, text=True, check=True).stdout.split()
    program = str(stage.folder / "onboarding")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", program, ROOT / "Examples/c/onboarding.c", *flags], check=True)
    same("C, left in the middle", stage.run(program, input=""), "page 1 of 2\nthe guide is over: dismissed\n")
    same("C, again", stage.run(program, input=""), "not shown: seen\n")
    stage.run("busctl", "--user", "call", "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Guides", "Reset", "ss", "org.example.C", "welcome")
    same("C, to the end", stage.run(program, input="\n\n"), "page 1 of 2\npage 2 of 2\nthe guide is over: completed\n")


def swift(stage):
    # Its own build folder stays, so that only the first build takes long.
    build = ["swift", "build", "--package-path", ROOT / "Examples/swift", "--scratch-path", ROOT / ".build/examples", "--static-swift-stdlib"]
    subprocess.run([*build, "--quiet"], check=True)
    folder = subprocess.run([*build, "--show-bin-path"], capture_output=True, text=True, check=True).stdout.strip()
    program = f"{folder}/onboarding"
    same(
        "Swift, left in the middle", stage.run(program, input="\n"),
        "launch 1: first\npage 1 of 2: Write\npage 2 of 2: Share [Start]\nthe guide is over: dismissed\n"
        "step open, at open-button\nstep share, at share-button\nthe tour is over: completed\nno tip: rules\n")
    same("Swift, again", stage.run(program, input=""), "launch 2: same\nno guide: seen\nno tour: seen\ntip: Filter your photos\n")
    stage.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={stage.folder}/none"
    printed = stage.run(program, input="").splitlines()
    assert printed[0].startswith("nothing will be shown: Unreachable"), printed
    same(
        "Swift, without a bus", "\n".join(printed[1:]) + "\n",
        "launch 0: unknown\nno guide: unavailable\nno tour: unavailable\nno tip: unavailable\n")


def main():
    parser = argparse.ArgumentParser(description="Runs the examples without a window.")
    parser.add_argument("programs", help="the folder with defaultsd")
    options = parser.parse_args()
    for play in (shell, python, c, swift):
        with Stage(options.programs) as stage:
            play(stage)


if __name__ == "__main__":
    main()
