#!/usr/bin/python3
"""An application without a window: preferences, what happens once, launches and a countdown, through dasbus.

    first_launch.py VERSION
"""

import sys

from dasbus.connection import SessionMessageBus
from dasbus.loop import EventLoop
from dasbus.typing import Bool, Str, UInt32, UInt64, Variant, get_native, get_variant

APP = "org.example.Python"
NAME = "org.defaultsd1"

bus = SessionMessageBus()


def interface(name, path="/org/defaultsd1"):
    return bus.get_proxy(NAME, path, interface_name=f"{NAME}.{name}")


def launches(version):
    """Says what kind of launch this is; of processes that start at once exactly one is the owner of a first launch or an upgrade."""
    launch = get_native(interface("Launches").Record(APP, version, {}))
    print(f"launch: {launch['kind']}, owner: {launch['owner']}, before: {launch['previous_version'] or 'nothing'}")
    if interface("Launches").Once(APP, "welcome"):
        print("welcome: for the first and the last time")


def preferences():
    """Registers what is assumed, writes, and hears of the change; values keep their types."""
    service = interface("Preferences")
    service.RegisterDefaults(APP, {"theme": get_variant(Str, "light"), "volume": get_variant(UInt32, 7)})
    loop = EventLoop()

    def changed(domain, values, removed, revision, writer):
        for key, value in sorted(get_native(values).items()):
            print(f"changed: {key} = {value}")
        loop.quit()

    service.Changed.connect(changed)
    values, revision, instance, slot = service.Watch(APP)
    print("values:", ", ".join(f"{key}={value}" for key, value in sorted(get_native(values).items())))
    service.Set(APP, "theme", get_variant(Str, "dark" if get_native(values["theme"]) == "light" else "light"))
    loop.run()


def countdown():
    """A countdown of 0.3 s; the match is there before it starts, so that no tick is missed."""
    loop = EventLoop()
    token = "splash"
    path = f"/org/defaultsd1/countdown/{bus.connection.get_unique_name()[1:].replace('.', '_')}/{token}"

    def signal(connection, sender, path, interface_name, name, parameters):
        if name == "Tick":
            print(f"tick: {parameters.unpack()[0]}")
        elif name == "Finished":
            print(f"countdown: {parameters.unpack()[0]}")
            loop.quit()

    # A property of the same name hides the signal Tick from a proxy, so this asks the connection.
    bus.connection.signal_subscribe(NAME, f"{NAME}.Countdown", None, path, None, 0, signal)
    interface("Countdowns").Start(token, {"duration": get_variant(UInt64, 300), "tick": get_variant(UInt64, 100)})
    loop.run()


def main():
    launches(sys.argv[1] if len(sys.argv) > 1 else "1.0")
    preferences()
    countdown()


if __name__ == "__main__":
    main()
