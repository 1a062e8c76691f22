#!/usr/bin/python3
"""Calls ListDomains without naming the interface, which D-Bus allows, as a user: without-interface.py USER. Fails where it is refused."""

import os
import pwd
import socket
import struct
import sys


def padded(data: bytes, to: int) -> bytes:
    return data + b"\0" * (-len(data) % to)


def text(value: str) -> bytes:
    return struct.pack("<I", len(value)) + value.encode() + b"\0"


def call(serial: int, destination: str, path: str, member: str, interface: str | None = None) -> bytes:
    fields = b""
    values = [(1, "o", path), (3, "s", member), (6, "s", destination)]
    if interface:
        values.append((2, "s", interface))
    for code, signature, value in values:
        fields = padded(fields, 8) + bytes([code, 1]) + signature.encode() + b"\0" + text(value)
    header = struct.pack("<cBBBIII", b"l", 1, 0, 1, 0, serial, len(fields))
    return padded(header + fields, 8)


def main() -> int:
    os.setuid(pwd.getpwnam(sys.argv[1]).pw_uid)
    bus = socket.socket(socket.AF_UNIX)
    bus.settimeout(10)
    bus.connect("/run/dbus/system_bus_socket")
    bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    if not bus.recv(256).startswith(b"OK"):
        return 2
    bus.sendall(b"BEGIN\r\n")
    bus.sendall(call(1, "org.freedesktop.DBus", "/org/freedesktop/DBus", "Hello", "org.freedesktop.DBus"))
    bus.sendall(call(2, "org.defaultsd1", "/org/defaultsd1", "ListDomains"))
    data = b""
    # The reply to the second call has its serial in it: header field 5.
    while b"\x05\x01u\0\x02\0\0\0" not in data:
        data += bus.recv(4096)
    print(data)
    return 1 if b"AccessDenied" in data else 0


if __name__ == "__main__":
    sys.exit(main())
