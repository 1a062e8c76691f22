#!/usr/bin/python3
"""Finds out from inside which restrictions of the system's unit are in effect.

sandbox.py --closed, as ExecStartPost of the unit: fails where anything is open.
sandbox.py --open, as the service's user outside of it: fails where anything is closed, so that each probe is known to be able to fail.
sandbox.py --daemon=PID, as root: fails where anything about that process is open.
"""

import ctypes
import mmap
import os
import pathlib
import pwd
import resource
import socket
import stat
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
# x86-64 and the generic table of system calls, which arm64 has.
NUMBERS = {
    "x86_64": {"add_key": 248, "adjtimex": 159, "io_setup": 206, "mlock": 149, "personality": 135, "quotactl": 179},
    "aarch64": {"add_key": 217, "adjtimex": 171, "io_setup": 0, "mlock": 228, "personality": 92, "quotactl": 60},
}[os.uname().machine]
EPERM, EAFNOSUPPORT = 1, 97


def errno_of(name: str, *arguments) -> int:
    """The error of a system call, 0 where it succeeds."""
    ctypes.set_errno(0)
    result = libc.syscall(NUMBERS[name], *arguments)
    return ctypes.get_errno() if result < 0 else 0


def fails(number: int, body) -> bool:
    """Whether the body ends with that error of the system."""
    try:
        body()
    except OSError as error:
        return error.errno == number
    return False


def status(process: str) -> dict[str, str]:
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def is_read_only(path: str) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def is_hidden(path: str) -> bool:
    try:
        return not os.listdir(path)
    except OSError:
        return True


def namespace(name: str) -> str:
    return os.readlink(f"/proc/self/ns/{name}")


def writable_and_executable() -> bool:
    size = mmap.PAGESIZE
    address = libc.mmap(None, ctypes.c_size_t(size), 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    return address not in (None, ctypes.c_void_p(-1).value)


def set_user_id_file() -> None:
    path = pathlib.Path(os.environ.get("STATE_DIRECTORY", "/var/tmp")) / "probe"
    path.touch()
    try:
        os.chmod(path, stat.S_ISUID | 0o700)
    finally:
        path.unlink()


def daemon(process: str, outside: dict[str, str]) -> dict[str, bool]:
    """What can be seen of the daemon's own process, from outside."""
    own = status(process)
    found = {f"{name} is empty": int(own[name], 16) == 0 for name in ("CapBnd", "CapEff", "CapPrm", "CapInh", "CapAmb")}
    for name, namespace_outside in outside.items():
        found[f"{name} namespace"] = os.readlink(f"/proc/{process}/ns/{name}") != namespace_outside
    limits = pathlib.Path(f"/proc/{process}/limits").read_text()
    return found | {
        "NoNewPrivileges": own["NoNewPrivs"] == "1",
        "SystemCallFilter": own["Seccomp"] == "2" and int(own["Seccomp_filters"]) > 5,
        "UMask": own["Umask"] == "0077",
        "User": own["Uid"].split() == [str(pwd.getpwnam("defaultsd").pw_uid)] * 4,
        "LimitCORE": any(line.split()[:6] == ["Max", "core", "file", "size", "0", "0"] for line in limits.splitlines()),
        "ProtectSystem": is_read_only(f"/proc/{process}/root/usr") and is_read_only(f"/proc/{process}/root/etc"),
        "PrivateTmp": not os.path.exists(f"/proc/{process}/root/tmp/marker"),
    }


def probes(outside: dict[str, str]) -> dict[str, bool]:
    """Each restriction, and whether it is in effect on this process."""
    own = status("self")
    found = {
        "CapabilityBoundingSet": int(own["CapBnd"], 16) == 0,
        "NoNewPrivileges": own["NoNewPrivs"] == "1",
        "KeyringMode and @keyring": errno_of("add_key", b"user", b"probe", b"x", 1, -2) == EPERM,
        "LimitCORE": resource.getrlimit(resource.RLIMIT_CORE)[1] == 0,
        "LockPersonality": errno_of("personality", 0x0008) == EPERM,
        "MemoryDenyWriteExecute": not writable_and_executable(),
        "PrivateDevices": not os.path.exists("/dev/fuse") and not os.path.exists("/dev/net/tun"),
        "PrivateIPC": namespace("ipc") != outside["ipc"],
        "PrivateNetwork": namespace("net") != outside["net"],
        "PrivateTmp": not os.path.exists("/tmp/marker"),
        "PrivateUsers": namespace("user") != outside["user"],
        "ProtectClock": errno_of("adjtimex", ctypes.create_string_buffer(256)) == EPERM,
        "ProtectControlGroups": is_read_only("/sys/fs/cgroup"),
        "ProtectHome": is_hidden("/home") and is_hidden("/run/user"),
        "ProtectHostname": namespace("uts") != outside["uts"],
        "ProtectKernelLogs": stat.S_IMODE(os.stat("/proc/kmsg").st_mode) == 0,
        "ProtectKernelModules": is_hidden("/usr/lib/modules"),
        "ProtectKernelTunables": is_read_only("/proc/sys") and is_read_only("/sys"),
        "ProtectProc": not os.path.exists("/proc/1"),
        "ProtectSystem": is_read_only("/usr") and is_read_only("/etc") and is_read_only("/var"),
        "RestrictAddressFamilies": fails(EAFNOSUPPORT, lambda: socket.socket(socket.AF_INET).close()),
        "RestrictNamespaces": unshare_refused(),
        "RestrictRealtime and @resources": fails(EPERM, lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))),
        "RestrictSUIDSGID": fails(EPERM, set_user_id_file),
        "SystemCallFilter": own["Seccomp"] == "2",
        "@aio": errno_of("io_setup", 1, ctypes.byref(ctypes.c_ulong(0))) == EPERM,
        "@memlock": errno_of("mlock", ctypes.create_string_buffer(64), 64) == EPERM,
        "UMask": os.umask(0o077) == 0o077,
    }
    # What must be left to it.
    found["ConfigurationDirectory is writable"] = not is_read_only("/etc/defaultsd")
    found["StateDirectory is writable"] = os.access(os.environ.get("STATE_DIRECTORY", "/"), os.W_OK)
    return found


def unshare_refused() -> bool:
    CLONE_NEWUSER = 0x10000000
    ctypes.set_errno(0)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if libc.unshare(CLONE_NEWUSER) < 0 and ctypes.get_errno() == EPERM else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def main() -> int:
    # Namespaces of a process without restrictions, written down by who starts this.
    outside = dict(line.split() for line in pathlib.Path(__file__).with_name("namespaces").read_text().splitlines())
    mode, _, process = sys.argv[1].partition("=")
    found = daemon(process, outside) if mode == "--daemon" else probes(outside)
    must_be_closed = mode != "--open"
    if not must_be_closed:
        del found["StateDirectory is writable"], found["ConfigurationDirectory is writable"]
    wrong = [name for name, closed in found.items() if closed != must_be_closed]
    for name in wrong:
        print(f"{'not in effect' if must_be_closed else 'in effect'}: {name}", file=sys.stderr)
    print(f"{len(found) - len(wrong)} of {len(found)} as they must be", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
