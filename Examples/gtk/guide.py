#!/usr/bin/python3
"""Shows a guide in a window: pages with dots, a button or a swipe at the end, a countdown that skips.

    guide.py APP GUIDE [--version=VERSION] [--replay]

The daemon says whether it is to be shown at all, which page is next and when it is over; this file draws.
"""

import argparse
import pathlib
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk  # noqa: E402

from defaultsd import Daemon, variant  # noqa: E402

IMAGES = pathlib.Path(__file__).parent / "images"
CSS = """
.guide { background-color: #1f2430; color: #ffffff; }
.page { padding: 48px 32px; }
.page .title { font-size: 26px; font-weight: bold; }
.page .text { font-size: 17px; }
.dot { min-width: 10px; min-height: 10px; border-radius: 5px; margin: 0 5px; }
"""


class Picture(Gtk.Picture):
    """An image of the application's; a GIF moves. An application knows its images by their names alone."""

    def __init__(self, name, alt):
        super().__init__(can_shrink=True, vexpand=True, alternative_text=alt)
        path = next((path for path in (IMAGES / name, IMAGES / f"{name}.png") if path.exists()), IMAGES / "missing.png")
        if path.suffix == ".gif":
            self.frames = GdkPixbuf.PixbufAnimation.new_from_file(str(path)).get_iter(None)
            self.draw_frame()
        else:
            self.set_filename(str(path))

    def draw_frame(self):
        self.set_paintable(Gdk.Texture.new_for_pixbuf(self.frames.get_pixbuf()))
        GLib.timeout_add(self.frames.get_delay_time(), self.advance)

    def advance(self):
        self.frames.advance(None)
        self.draw_frame()
        return GLib.SOURCE_REMOVE


class GuideWindow(Gtk.ApplicationWindow):
    """One run of a guide. `done` is called once, with how it ended."""

    def __init__(self, application, daemon, run, guide, done):
        super().__init__(application=application, title="Welcome", default_width=480, default_height=640, css_classes=["guide"])
        self.daemon, self.run, self.done = daemon, run, done
        self.stack = Gtk.Stack(transition_type=Gtk.StackTransitionType.SLIDE_LEFT_RIGHT, vexpand=True)
        for number, page in enumerate(guide["pages"]):
            self.stack.add_named(self.page(page), str(number))
        self.dots = [Gtk.Box(css_classes=["dot"]) for _ in guide["pages"]]
        self.button = Gtk.Button(halign=Gtk.Align.CENTER, css_classes=["suggested-action", "pill"])
        self.button.connect("clicked", lambda _: self.finish("completed"))
        self.skip = Gtk.Button(halign=Gtk.Align.END, valign=Gtk.Align.START, margin_top=16, margin_end=16, visible=False)
        self.skip.connect("clicked", lambda _: self.call_countdown("Skip"))

        below = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=16, margin_bottom=24)
        self.row = Gtk.Box(halign=Gtk.Align.CENTER)
        for dot in self.dots:
            self.row.append(dot)
        # The button keeps its place where it isn't seen: nothing jumps on the last page.
        for widget in (self.button, self.row):
            below.append(widget)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        column.append(self.stack)
        column.append(below)
        overlay = Gtk.Overlay(child=column)
        overlay.add_overlay(self.skip)
        self.set_child(overlay)

        swipe = Gtk.GestureSwipe()
        swipe.connect("swipe", lambda _, x, y: self.turn(-1 if x > 0 else 1))
        self.stack.add_controller(swipe)
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", self.key_pressed)
        self.add_controller(keys)
        self.connect("close-request", lambda _: self.finish("dismissed"))

        self.colors = Gtk.CssProvider()
        Gtk.StyleContext.add_provider_for_display(self.get_display(), self.colors, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
        daemon.on("Guides", "Changed", None, lambda app, id, run, guide: run == self.run and self.show_guide(guide))
        daemon.on("Guides", "Finished", None, lambda app, id, run, outcome: run == self.run and self.leave(outcome))
        if guide["countdown"] != "/":
            self.countdown = guide["countdown"]
            daemon.on("Countdown", "Tick", self.countdown, self.ticked)
        self.show_guide(guide)

    @staticmethod
    def page(page):
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=24, css_classes=["page"])
        if page.get("image"):
            box.append(Picture(page["image"], page.get("alt", "")))
        box.append(Gtk.Label(label=page.get("title", ""), wrap=True, css_classes=["title"]))
        box.append(Gtk.Label(label=page.get("text", ""), wrap=True, justify=Gtk.Justification.CENTER, css_classes=["text"]))
        return box

    def show_guide(self, guide):
        """Draws what the daemon says: the page, its dot, the button."""
        attributes = guide.get("attributes", {})
        self.stack.set_visible_child_name(str(guide["page"]))
        self.fade, self.has_skip = attributes.get("fade", 500), attributes.get("skip_button", True)
        self.row.set_visible(attributes.get("page_control", True))
        for number, dot in enumerate(self.dots):
            dot.set_css_classes(["dot", "current" if number == guide["page"] else "other"])
        self.button.set_label(attributes.get("button_title", "Start"))
        self.button.set_opacity(1 if guide["button_visible"] else 0)
        self.button.set_sensitive(guide["button_visible"])
        self.skip_title = attributes.get("skip_title", "Skip")
        style = (
            f".dot.current {{ background-color: {attributes.get('current_colour', '#62a0ea')}; }}"
            f".dot.other {{ background-color: {attributes.get('other_colour', '#5e5c64')}; }}")
        self.colors.load_from_data(style.encode())

    def ticked(self, ticks, remaining, missed):
        self.skip.set_label(f"{ticks}s {self.skip_title}")
        self.skip.set_visible(self.has_skip)

    def key_pressed(self, keys, key, code, modifiers):
        if key in (Gdk.KEY_Right, Gdk.KEY_Left):
            self.turn(1 if key == Gdk.KEY_Right else -1)
        elif key == Gdk.KEY_Escape:
            self.finish("dismissed")
        return key in (Gdk.KEY_Right, Gdk.KEY_Left, Gdk.KEY_Escape)

    def turn(self, by):
        self.show_guide(self.daemon.call("Guides", "Advance", "(ti)", self.run, by)[0])

    def finish(self, outcome):
        self.daemon.call("Guides", "Finish", "(ts)", self.run, outcome)
        return True

    def call_countdown(self, method):
        self.daemon.call("Countdown", method, path=self.countdown)

    def leave(self, outcome, opacity=1.0):
        """Fades out, once; the run has ended whatever the window does."""
        if opacity == 1.0:
            if self.done is None:
                return
            self.done, done = None, self.done
            done(outcome)
        self.set_opacity(opacity)
        if opacity > 0:
            GLib.timeout_add(self.fade // 10, lambda: self.leave(outcome, round(opacity - 0.1, 1)))
        else:
            self.destroy()


class NextScreen(Gtk.ApplicationWindow):
    """What the guide's attributes name as the next screen."""

    def __init__(self, application, name, why):
        super().__init__(application=application, title=name, default_width=480, default_height=640)
        self.set_child(Gtk.Label(label=f"{name}\n\n{why}", justify=Gtk.Justification.CENTER))


def main():
    parser = argparse.ArgumentParser(description="Shows a guide in a window.")
    parser.add_argument("app")
    parser.add_argument("guide")
    parser.add_argument("--version", default="1.0", help="the version of the application that starts")
    parser.add_argument("--replay", action="store_true", help="show it again, and write nothing of it")
    options = parser.parse_args()

    def activate(application):
        provider = Gtk.CssProvider()
        provider.load_from_data(CSS.encode())
        Gtk.StyleContext.add_provider_for_display(
            Gdk.Display.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
        daemon = Daemon()
        daemon.call("Launches", "Record", "(ssa{sv})", options.app, options.version, {})
        show, reason, run, guide = daemon.call(
            "Guides", "Present", "(ssa{sv})", options.app, options.guide, {"replay": variant(options.replay)})
        following = guide.get("attributes", {}).get("next_screen", "Main window")

        def go_on(why):
            print(why, flush=True)
            NextScreen(application, following, why).present()

        if show:
            GuideWindow(application, daemon, run, guide, go_on).present()
        else:
            go_on(f"not shown: {reason}")

    application = Gtk.Application()
    application.connect("activate", activate)
    return application.run([])


if __name__ == "__main__":
    sys.exit(main())
