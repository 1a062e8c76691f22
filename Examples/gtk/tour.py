#!/usr/bin/python3
"""A window with a tour: bubbles that point at its parts, one after the other.

    tour.py APP TOUR

Dismissing a bubble asks the daemon for the next step. It compares and swaps, so that a double click goes on once.
"""

import argparse
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from defaultsd import Daemon  # noqa: E402

SIDES = {
    "auto": Gtk.PositionType.BOTTOM, "bottom": Gtk.PositionType.BOTTOM, "top": Gtk.PositionType.TOP,
    "left": Gtk.PositionType.LEFT, "right": Gtk.PositionType.RIGHT,
}
CSS = """
.parts { padding: 24px; }
.shade { background-color: rgba(0, 0, 0, 0.35); }
.pointed-at { outline: 3px solid #3584e4; outline-offset: 2px; }
popover label { font-size: 16px; }
"""


class MainWindow(Gtk.ApplicationWindow):
    """An application's window; `parts` are the widgets that a step can point at."""

    def __init__(self, application):
        super().__init__(application=application, title="Home", default_width=640, default_height=560)
        titles = {
            "searchButton": "Search", "scanButton": "Scan", "newsButton": "News", "homeTab": "Home", "cartTab": "Cart",
            "profileTab": "Profile",
        }
        self.parts = {name: Gtk.Button(label=title) for name, title in titles.items()}
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=24, css_classes=["parts"])
        column.append(self.row("searchButton", "scanButton", "newsButton"))
        column.append(Gtk.Frame(label="Today", vexpand=True))
        column.append(self.row("homeTab", "cartTab", "profileTab"))
        self.shade = Gtk.Box(css_classes=["shade"], visible=False)
        overlay = Gtk.Overlay(child=column)
        overlay.add_overlay(self.shade)
        self.set_child(overlay)

    def row(self, *names):
        row = Gtk.Box(spacing=12, homogeneous=True)
        for name in names:
            row.append(self.parts[name])
        return row


class Tour:
    """One run of a tour over a window."""

    def __init__(self, window, daemon, run, step):
        self.window, self.daemon, self.run = window, daemon, run
        self.bubble = None
        window.shade.add_controller(self.click())
        window.shade.set_visible(True)
        daemon.on("Tours", "Finished", None, lambda app, tour, run, outcome, shown: run == self.run and self.leave(outcome, shown))
        self.show(step)

    def show(self, step):
        """Points at the step's target; a target that isn't there is a step that can't be shown."""
        self.put_away()
        if step["state"] != "presenting":
            return
        target = self.window.parts.get(step.get("target", ""))
        if target is None or not target.get_visible():
            return self.show(self.daemon.call("Tours", "StepUnavailable", "(ts)", self.run, step["id"])[0])
        self.step, self.target = step, target
        self.bubble = Gtk.Popover(autohide=False, position=SIDES[step.get("direction", "auto")], child=self.content(step))
        self.bubble.set_parent(target)
        self.bubble.add_controller(self.click())
        target.add_css_class("pointed-at")
        self.bubble.popup()

    def click(self):
        """A click on the bubble, or anywhere beside it, goes on."""
        click = Gtk.GestureClick()
        click.connect("pressed", lambda *_: self.next())
        return click

    def content(self, step):
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        box.append(Gtk.Label(label=step.get("content", ""), wrap=True, max_width_chars=28))
        box.append(Gtk.Label(label=f"{step['index'] + 1} / {step['count']}", css_classes=["dim-label"]))
        return box

    def next(self):
        self.show(self.daemon.call("Tours", "Next", "(tst)", self.run, self.step["id"], self.step["sequence"])[0])

    def back(self):
        self.show(self.daemon.call("Tours", "Back", "(t)", self.run)[0])

    def finish(self, outcome):
        self.show(self.daemon.call("Tours", "Finish", "(ts)", self.run, outcome)[0])

    def put_away(self):
        if self.bubble:
            self.target.remove_css_class("pointed-at")
            self.bubble.unparent()
            self.bubble = None

    def leave(self, outcome, shown):
        self.put_away()
        self.window.shade.set_visible(False)
        print(f"{outcome}: {' '.join(shown)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Shows a tour over a window.")
    parser.add_argument("app")
    parser.add_argument("tour")
    options = parser.parse_args()

    def activate(application):
        provider = Gtk.CssProvider()
        provider.load_from_data(CSS.encode())
        Gtk.StyleContext.add_provider_for_display(
            Gdk.Display.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
        window = MainWindow(application)
        window.present()
        daemon = Daemon()
        show, reason, run, step = daemon.call("Tours", "Start", "(ssa{sv})", options.app, options.tour, {})
        if not show:
            return print(f"not shown: {reason}", flush=True)
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        window.add_controller(keys)

        def begin():
            tour = Tour(window, daemon, run, step)
            actions = {
                Gdk.KEY_Right: tour.next, Gdk.KEY_Return: tour.next, Gdk.KEY_Left: tour.back,
                Gdk.KEY_Escape: lambda: tour.finish("dismissed"),
            }
            keys.connect("key-pressed", lambda keys, key, code, modifiers: key in actions and (actions[key]() or True))
            return GLib.SOURCE_REMOVE

        # A bubble points at nothing before the window has its size.
        GLib.timeout_add(100, begin)

    application = Gtk.Application()
    application.connect("activate", activate)
    return application.run([])


if __name__ == "__main__":
    sys.exit(main())
