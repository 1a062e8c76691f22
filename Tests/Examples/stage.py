"""A private session bus with the daemon on it, and a screen that can be looked at."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEADLINE = 20


def until(what, body, deadline=DEADLINE):
    """Asks `body` until it answers something, and returns that; what it waits for is in the failure."""
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        found = body()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} had not come after {deadline} s")


class Stage:
    """Everything an example needs, in a folder of its own; leaves nothing behind."""

    def __init__(self, programs):
        self.programs = pathlib.Path(programs)
        self.processes = []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="defaultsd-examples-"))
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(runtime),
            "XDG_CONFIG_HOME": str(self.folder / "config"), "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11",
            "GTK_A11Y": "none", "NO_AT_BRIDGE": "1",
        }
        # Recipes are manifests; the administrator's folder has them under apps.
        self.recipes = self.folder / "etc" / "apps"
        shutil.copytree(ROOT / "Examples" / "recipes", self.recipes)
        address = f"unix:path={runtime}/bus"
        # The bus hands its environment to what it starts, so it must be complete before.
        self.start("dbus-daemon", "--session", "--nofork", f"--address={address}", stderr=subprocess.DEVNULL)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        until("the bus", lambda: (runtime / "bus").exists())
        self.start_daemon()
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words, **options):
        process = subprocess.Popen(words, env=self.environment, cwd=ROOT, **options)
        self.processes.append(process)
        return process

    def start_daemon(self):
        self.daemon = self.start(self.programs / "defaultsd", f"--config={self.folder}/etc", stderr=subprocess.DEVNULL)
        until("the daemon", lambda: self.quiet("busctl", "--user", "status", "org.defaultsd1"))

    def kill_daemon(self):
        self.daemon.kill()
        self.daemon.wait()

    def quiet(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, check=False).returncode == 0

    def run(self, *words, **options):
        """Runs a program to its end and returns what it printed; a status other than 0 is a failure."""
        result = subprocess.run(
            words, env=self.environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False, **options)
        assert result.returncode == 0, f"{words} ended with {result.returncode}: {result.stdout}{result.stderr}"
        return result.stdout

    # The screen.

    def open_screen(self):
        """A screen of its own, with what blends windows into each other: shadows need it."""
        read, write = os.pipe()
        self.start(
            "Xvfb", "-displayfd", str(write), "-screen", "0", "700x720x24", "-nolisten", "tcp", pass_fds=[write],
            stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.environment["DISPLAY"] = ":" + pipe.readline().strip()
        self.start("xcompmgr", stderr=subprocess.DEVNULL)

    def show(self, *words):
        """Starts a program with a window; its output can be read line by line."""
        return self.start(*words, stdout=subprocess.PIPE, text=True)

    def press(self, key):
        self.run("xdotool", "key", key)

    def click(self, x, y):
        self.run("xdotool", "mousemove", str(x), str(y), "click", "1")
