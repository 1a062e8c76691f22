#!/usr/bin/python3
"""Finds out from inside which restrictions of a unit are in effect: sandbox.py UNIT MODE [PROCESS], where UNIT is system or user.

closed: as ExecStartPost of the unit; fails where anything is open.
unfiltered: the same of a unit without SystemCallFilter, so that what the filter would hide is seen of each line by itself; fails too where what
    only the filter closes is not open.
open: as the unit's user, outside of it; fails where anything is closed, so that each probe is known to be able to fail.
cgroup: outside of the unit, but in its control group; fails where what the group forbids is allowed. And ungrouped: fails where it is forbidden.
daemon PROCESS: as root; fails where anything about that process is open.
"""

import ctypes
import mmap
import os
import pathlib
import pwd
import resource
import signal
import socket
import stat
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.syscall.restype = ctypes.c_long
# x86-64 and the generic table of system calls, which arm64 has.
NUMBERS = {
    "x86_64": {"add_key": 248, "adjtimex": 159, "io_setup": 206, "keyctl": 250, "mlock": 149, "personality": 135, "ptrace": 101},
    "aarch64": {"add_key": 217, "adjtimex": 171, "io_setup": 0, "keyctl": 219, "mlock": 228, "personality": 92, "ptrace": 117},
}[os.uname().machine]
EPERM, EAFNOSUPPORT = 1, 97
FOLDER = os.environ.get("STATE_DIRECTORY", "/var/tmp")
# Made before by who starts this: device nodes open to all, which aren't in /dev.
DEVICES = pathlib.Path("/var/lib/defaultsd")
# What the user's unit has, too; its other lines would take P15 away.
OF_USERS = {
    "LimitCORE",
    "LockPersonality",
    "MemoryDenyWriteExecute",
    "NoNewPrivileges",
    "RestrictAddressFamilies",
    "RestrictNamespaces",
    "RestrictRealtime",
    "RestrictSUIDSGID",
    "SystemCallArchitectures",
    "UMask",
}


def result_of(name: str, *arguments) -> int:
    """What a system call returns, the error as a negative number."""
    ctypes.set_errno(0)
    result = libc.syscall(NUMBERS[name], *arguments)
    return -ctypes.get_errno() if result < 0 else result


def refused(name: str, *arguments) -> bool:
    return result_of(name, *arguments) == -EPERM


def fails(number: int, body) -> bool:
    """Whether the body ends with that error of the system."""
    try:
        body()
    except OSError as error:
        return error.errno == number
    return False


def in_child(body) -> int:
    """The exit status of a process that does it, or the number of the signal that ended it as a negative number."""
    process = os.fork()
    if process == 0:
        try:
            os._exit(int(body()))
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


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


def open_and_close(path: pathlib.Path) -> None:
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


def writable_and_executable() -> bool:
    size = mmap.PAGESIZE
    address = libc.mmap(None, ctypes.c_size_t(size), 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    return address not in (None, ctypes.c_void_p(-1).value)


def set_user_id_file() -> None:
    with tempfile.NamedTemporaryFile(dir=FOLDER) as file:
        os.chmod(file.name, stat.S_ISUID | 0o700)


def change_owner() -> None:
    with tempfile.NamedTemporaryFile(dir=FOLDER) as file:
        os.chown(file.name, os.getuid(), os.getgid())


def unshare_is_refused() -> bool:
    CLONE_NEWUSER = 0x10000000
    return in_child(lambda: libc.unshare(CLONE_NEWUSER) == 0 or ctypes.get_errno() != EPERM) == 0


def trace_is_refused() -> bool:
    PTRACE_TRACEME = 0
    return in_child(lambda: not refused("ptrace", PTRACE_TRACEME, 0, 0, 0)) == 0


def other_architecture_is_refused() -> bool:
    """Whether the way in for 32-bit programs, which a 64-bit one may use too, ends the process."""

    def get_process_id() -> bool:
        # mov eax, 20; int 0x80; ret: of a file, since memory that was written can't be made executable.
        with tempfile.TemporaryFile(dir=FOLDER) as file:
            file.write(b"\xb8\x14\0\0\0\xcd\x80\xc3".ljust(mmap.PAGESIZE, b"\0"))
            file.flush()
            PROT_READ_EXECUTE = 5
            address = libc.mmap(None, ctypes.c_size_t(mmap.PAGESIZE), PROT_READ_EXECUTE, mmap.MAP_PRIVATE, file.fileno(), 0)
            return ctypes.CFUNCTYPE(ctypes.c_int)(address)() != os.getpid()

    return in_child(get_process_id) == -signal.SIGSYS


def keyring_is_private() -> bool:
    """Whether the session's keyring has nothing but keys: the user's keyring would be a keyring in it."""
    KEYCTL_DESCRIBE, KEYCTL_READ, SESSION = 6, 11, -3
    size = result_of("keyctl", KEYCTL_READ, SESSION, None, 0)
    if size < 0:
        return size == -EPERM
    keys = (ctypes.c_int32 * (size // 4))()
    result_of("keyctl", KEYCTL_READ, SESSION, keys, size)
    description = ctypes.create_string_buffer(256)
    return all(result_of("keyctl", KEYCTL_DESCRIBE, key, description, 256) > 0 and description.value.startswith(b"user;") for key in keys)


def probes(outside: dict[str, str]) -> dict[str, bool]:
    """Each restriction, and whether it is in effect on this process."""
    own = status("self")
    found = {
        "CapabilityBoundingSet": int(own["CapBnd"], 16) == 0,
        "DevicePolicy and DeviceAllow": all(fails(EPERM, lambda: open_and_close(DEVICES / name)) for name in ("character", "block")),
        "KeyringMode": keyring_is_private(),
        "LimitCORE": resource.getrlimit(resource.RLIMIT_CORE)[1] == 0,
        "LockPersonality": refused("personality", 0x0008),
        "MemoryDenyWriteExecute": not writable_and_executable(),
        "NoNewPrivileges": own["NoNewPrivs"] == "1",
        "PrivateDevices": not os.path.exists("/dev/fuse") and not os.path.exists("/dev/net/tun"),
        "PrivateIPC": namespace("ipc") != outside["ipc"],
        "PrivateNetwork": namespace("net") != outside["net"],
        "PrivateTmp": not os.path.exists("/tmp/marker"),
        "PrivateUsers": namespace("user") != outside["user"],
        "ProtectClock": refused("adjtimex", ctypes.create_string_buffer(256)),
        "ProtectControlGroups": is_read_only("/sys/fs/cgroup"),
        "ProtectHome": is_hidden("/home") and is_hidden("/run/user"),
        "ProtectHostname": namespace("uts") != outside["uts"],
        "ProtectKernelLogs": stat.S_IMODE(os.stat("/proc/kmsg").st_mode) == 0,
        "ProtectKernelModules": is_hidden("/usr/lib/modules"),
        "ProtectKernelTunables": is_read_only("/proc/sys") and is_read_only("/sys"),
        "ProtectProc": not os.path.exists("/proc/1"),
        "ProtectSystem": is_read_only("/usr") and is_read_only("/etc") and is_read_only("/var"),
        "RestrictAddressFamilies": fails(EAFNOSUPPORT, lambda: socket.socket(socket.AF_INET).close()),
        "RestrictNamespaces": unshare_is_refused(),
        # A priority that the policy doesn't have: EINVAL, before it is asked who may.
        "RestrictRealtime": fails(EPERM, lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(0))),
        "RestrictSUIDSGID": fails(EPERM, set_user_id_file),
        "UMask": os.umask(0o077) == 0o077,
    }
    # No other processor has such a way in.
    if os.uname().machine == "x86_64":
        found["SystemCallArchitectures"] = other_architecture_is_refused()
    return found


def filter_probes() -> dict[str, bool]:
    """What the filter closes, and nothing else does; each with the error that SystemCallErrorNumber names."""
    return {
        "SystemCallFilter=@system-service": trace_is_refused(),
        "SystemCallFilter=~@aio": refused("io_setup", 1, ctypes.byref(ctypes.c_ulong(0))),
        "SystemCallFilter=~@keyring": refused("add_key", b"user", b"probe", b"x", 1, -2),
        "SystemCallFilter=~@memlock": refused("mlock", ctypes.create_string_buffer(64), 64),
        "SystemCallFilter=~@privileged": fails(EPERM, change_owner),
        "SystemCallFilter=~@resources": fails(EPERM, lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))),
        "SystemCallFilter=~@setuid": fails(EPERM, lambda: os.setuid(os.getuid())),
    }


def needs() -> dict[str, bool]:
    """What must be left to the system's unit."""
    return {
        "ConfigurationDirectory is writable": not is_read_only("/etc/defaultsd"),
        "StateDirectory is writable, StateDirectoryMode": os.access(FOLDER, os.W_OK) and stat.S_IMODE(os.stat(FOLDER).st_mode) == 0o700,
        "DevicePolicy leaves /dev/null": not fails(EPERM, lambda: open_and_close(pathlib.Path("/dev/null"))),
        "ProcSubset leaves all of /proc": os.path.exists("/proc/sys/kernel/random/boot_id"),
    }


def group_probes() -> dict[str, bool]:
    """What holds for all that is in the unit's control group, whatever else the process may."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        return {
            "IPAddressDeny": fails(EPERM, lambda: datagrams.sendto(b"probe", ("127.0.0.1", 9))),
            "DevicePolicy": fails(EPERM, lambda: open_and_close(DEVICES / "character")),
        }


def daemon(unit: str, process: str, outside: dict[str, str]) -> dict[str, bool]:
    """What can be seen of the daemon's own process, from outside."""
    own = status(process)
    limits = pathlib.Path(f"/proc/{process}/limits").read_text()
    found = {
        "NoNewPrivileges": own["NoNewPrivs"] == "1",
        # Each line that is made of one has put in its own.
        "SystemCallFilter": own["Seccomp"] == "2" and int(own["Seccomp_filters"]) > 5,
        "UMask": own["Umask"] == "0077",
        "LimitCORE": any(line.split()[:6] == ["Max", "core", "file", "size", "0", "0"] for line in limits.splitlines()),
        "Environment": b"SWIFT_BACKTRACE=enable=no" in pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0"),
        "TasksMax has room": int(own["Threads"]) <= 4,
    }
    if unit == "user":
        return found
    user = pwd.getpwnam("defaultsd")
    sets = {"CapBnd": "CapabilityBoundingSet", "CapAmb": "AmbientCapabilities", "CapEff": "CapEff", "CapPrm": "CapPrm", "CapInh": "CapInh"}
    found |= {f"{name} is empty": int(own[key], 16) == 0 for key, name in sets.items()}
    for name, namespace_outside in outside.items():
        found[f"{name} namespace"] = os.readlink(f"/proc/{process}/ns/{name}") != namespace_outside
    return found | {
        "User": own["Uid"].split() == [str(user.pw_uid)] * 4,
        "Group": own["Gid"].split() == [str(user.pw_gid)] * 4 and set(own["Groups"].split()) <= {str(user.pw_gid)},
        "ProtectSystem": is_read_only(f"/proc/{process}/root/usr") and is_read_only(f"/proc/{process}/root/etc"),
        "PrivateTmp": not os.path.exists(f"/proc/{process}/root/tmp/marker"),
    }


def expectations(unit: str, mode: str, arguments: list[str]) -> dict[str, tuple[bool, bool]]:
    """What was looked at: whether it is closed, and whether it must be."""
    # Namespaces of a process without restrictions, written down by who starts this.
    outside = dict(line.split() for line in pathlib.Path(__file__).with_name("namespaces").read_text().splitlines())

    def all_must_be(closed: bool, found: dict[str, bool]) -> dict[str, tuple[bool, bool]]:
        return {name: (value, closed) for name, value in found.items()}

    if mode == "daemon":
        return all_must_be(True, daemon(unit, arguments[0], outside))
    if mode in ("cgroup", "ungrouped"):
        return all_must_be(mode == "cgroup", group_probes())
    found = probes(outside)
    if unit == "user":
        found = {name: value for name, value in found.items() if name in OF_USERS}
    result = all_must_be(mode != "open", found) | all_must_be(mode == "closed", filter_probes())
    return result | all_must_be(True, needs()) if unit == "system" and mode != "open" else result


def main() -> int:
    unit, mode = sys.argv[1:3]
    looked_at = expectations(unit, mode, sys.argv[3:])
    wrong = {name: closed for name, (closed, must_be) in looked_at.items() if closed != must_be}
    for name, closed in wrong.items():
        print(f"{'in effect' if closed else 'not in effect'}: {name}", file=sys.stderr)
    print(f"{len(looked_at) - len(wrong)} of {len(looked_at)} as they must be", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
