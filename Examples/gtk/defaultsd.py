"""The daemon as the examples see it: one function for calls, one for signals, both over Gio."""

from gi.repository import Gio, GLib

NAME = "org.defaultsd1"
ROOT = "/org/defaultsd1"


def variant(value):
    """Wraps a Python value as an application would write it: str, bool, int, list of str, dict."""
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, int):
        return GLib.Variant("x", value)
    if isinstance(value, str):
        return GLib.Variant("s", value)
    if isinstance(value, dict):
        return GLib.Variant("a{sv}", {key: variant(item) for key, item in value.items()})
    return GLib.Variant("as", value)


class Daemon:
    """org.defaultsd1 on the session bus."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, interface, method, signature="()", *arguments, path=ROOT):
        """Calls a method and returns what it answers, a tuple of plain Python values."""
        reply = self.bus.call_sync(
            NAME, path, f"{NAME}.{interface}", method, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE, 2000)
        return reply.unpack()

    def on(self, interface, signal, path, handler):
        """Calls `handler` with the arguments of a signal of the daemon's; the bus vouches for the sender."""
        self.bus.signal_subscribe(
            NAME, f"{NAME}.{interface}", signal, path, None, Gio.DBusSignalFlags.NONE,
            lambda *signal: handler(*signal[5].unpack()))
