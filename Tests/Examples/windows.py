#!/usr/bin/python3
"""Plays a user through the windows of Examples/gtk and looks at what is on the screen: windows.py PROGRAMS [--pictures=FOLDER]."""

import argparse
import json
import pathlib

from screen import Picture
from stage import ROOT, Stage, until

WHITE, GRAY, BLUE, PINK = (255, 255, 255), (0x9E, 0x9E, 0x9E), (0x35, 0x84, 0xE4), (0xFF, 0x5A, 0x79)
# Without a window manager a window lies in the corner of the screen, in its default size.
DOTS = (0, 590, 480, 640)
BUTTON = (100, 540, 380, 590)
SKIP = (320, 0, 480, 60)
WINDOW = (0, 0, 480, 640)

pictures = None


def keep(picture, name, box=WINDOW):
    if pictures:
        picture.save(pictures / f"{name}.png", box)


def seen(stage, what, check):
    """Waits until a picture of the screen shows something, and returns it."""

    def look():
        picture = Picture(stage)
        return picture if check(picture) else None

    return until(what, look)


def dots(current, count, color=WHITE, other=GRAY):
    """Whether `count` dots are there, and that of page `current` alone has the color for it."""

    def check(picture):
        own, others = picture.blobs(color, DOTS), picture.blobs(other, DOTS)
        order = sorted([(x, True) for x, _ in own] + [(x, False) for x, _ in others])
        return [is_current for _, is_current in order] == [number == current for number in range(count)]

    return check


def guide(stage, app, name, version="1.0"):
    return stage.show("/usr/bin/python3", "Examples/gtk/guide.py", app, name, f"--version={version}")


def launch_guide(stage):
    """Recipe 1: images, dots in the application's colors, which change while it is shown, a button on the last page alone."""
    app = "org.example.LaunchGuide"
    program = guide(stage, app, "button")
    picture = seen(stage, "the first page", dots(0, 3))
    assert not picture.blobs(BLUE, BUTTON), "a button on the first page"
    keep(picture, "launch-guide")
    stage.press("Right")
    seen(stage, "the second page", dots(1, 3))
    definition = json.loads((ROOT / f"Examples/recipes/{app}.json").read_text())
    definition["guides"]["button"]["attributes"]["current_colour"] = "#ff5a79"
    manifest = stage.recipes / f"{app}.json"
    manifest.with_suffix(".new").write_text(json.dumps(definition))
    manifest.with_suffix(".new").rename(manifest)
    seen(stage, "the new color", dots(1, 3, PINK))
    stage.press("Right")
    picture = seen(stage, "the button", lambda picture: dots(2, 3, PINK)(picture) and picture.has("Start", box=BUTTON))
    keep(picture, "launch-guide-last")
    stage.click(240, 565)
    assert program.stdout.readline() == "completed\n"
    seen(stage, "the next screen", lambda picture: picture.has("Main window"))
    end(program)
    again = guide(stage, app, "button")
    assert again.stdout.readline() == "not shown: seen\n"
    end(again)
    updated = guide(stage, app, "button", "1.1")
    seen(stage, "the guide after an update", dots(0, 3, PINK))
    stage.press("Escape")
    assert updated.stdout.readline() == "dismissed\n"
    end(updated)


def four_pages(stage):
    """Recipe 2: four pages with titles, then the login screen; killed in the middle it goes on where it was."""
    program = guide(stage, "org.example.FourPages", "guidance")
    seen(stage, "the first page", lambda picture: picture.has("Find", box=WINDOW))
    stage.press("Right")
    seen(stage, "the second page", lambda picture: picture.has("Compare", box=WINDOW))
    end(program)
    program = guide(stage, "org.example.FourPages", "guidance")
    keep(seen(stage, "the page it was on", lambda picture: picture.has("Compare", box=WINDOW)), "four-pages")
    stage.press("Right")
    seen(stage, "the third page", lambda picture: picture.has("Buy", box=WINDOW))
    stage.press("Right")
    seen(stage, "the button", lambda picture: picture.count(BLUE, BUTTON) > 300)
    stage.click(240, 565)
    assert program.stdout.readline() == "completed\n"
    seen(stage, "the login screen", lambda picture: picture.has("login"))
    end(program)


def skip_guide(stage):
    """Recipe 3: a page that moves, a button that counts down, and nothing after it was pressed."""
    program = guide(stage, "org.example.SkipGuide", "splash")
    picture = seen(stage, "the count", lambda picture: picture.has("跳过", "chi_sim", SKIP))
    keep(picture, "skip-guide")
    image = (40, 60, 440, 460)
    first = picture.image.crop(image).tobytes()
    until("another frame", lambda: Picture(stage).image.crop(image).tobytes() != first)
    stage.click(440, 30)
    assert program.stdout.readline() == "skipped\n"
    picture = seen(stage, "the root screen", lambda picture: picture.has("root"))
    assert not picture.has("跳过", "chi_sim", SKIP)
    end(program)


def first_launch(stage):
    """Recipe 4: a flag; shown once, in a second window at the same time not at all."""
    program = guide(stage, "org.example.FirstLaunch", "welcome")
    seen(stage, "the first page", lambda picture: len(picture.blobs((0x62, 0xA0, 0xEA), DOTS)) == 1)
    second = guide(stage, "org.example.FirstLaunch", "welcome")
    assert second.stdout.readline() == "not shown: busy\n"
    end(second)
    for _ in range(3):
        stage.press("Right")
    keep(seen(stage, "the button's title", lambda picture: picture.has("之旅", "chi_sim", BUTTON)), "first-launch")
    stage.click(240, 565)
    assert program.stdout.readline() == "completed\n"
    end(program)


def tour(stage):
    """Recipe 5: bubbles that point at five parts of a window; killed at the third it goes on there; a double click goes on once."""

    def start():
        # The manifest's second screen is a tour of its own, which this window doesn't show.
        return stage.show("/usr/bin/python3", "Examples/gtk/tour.py", "org.example.TooltipTour", "home")

    program = start()
    keep(seen(stage, "the first bubble", lambda picture: picture.has("搜索", "chi_sim")), "tour", (0, 0, 640, 560))
    stage.press("Right")
    seen(stage, "the second bubble", lambda picture: picture.has("Scan a code"))
    stage.press("Right")
    seen(stage, "the third bubble", lambda picture: picture.has("What you want to buy"))
    end(program, kill=True)
    program = start()
    keep(seen(stage, "the third bubble again", lambda picture: picture.has("What you want to buy")), "tour-third", (0, 0, 640, 560))
    stage.run("xdotool", "mousemove", "600", "300", "click", "--repeat", "1", "1")
    seen(stage, "the fourth bubble", lambda picture: picture.has("Your orders"))
    stage.press("Right")
    seen(stage, "the last bubble", lambda picture: picture.has("What has happened"))
    stage.press("Right")
    assert program.stdout.readline().startswith("completed: ")
    end(program)
    again = start()
    assert again.stdout.readline() == "not shown: seen\n"
    end(again)


def end(program, kill=False):
    (program.kill if kill else program.terminate)()
    program.wait()
    program.stdout.close()


def main():
    global pictures
    parser = argparse.ArgumentParser(description="Plays a user through the examples with windows.")
    parser.add_argument("programs", help="the folder with defaultsd")
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder for the pictures that README shows")
    options = parser.parse_args()
    pictures = options.pictures
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    for play in (launch_guide, four_pages, skip_guide, first_launch, tour):
        # Each has a machine of its own: a user who has seen nothing yet.
        with Stage(options.programs) as stage:
            stage.open_screen()
            play(stage)
        print(f"ok: {play.__name__}", flush=True)


if __name__ == "__main__":
    main()
