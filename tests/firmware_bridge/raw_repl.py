"""Run by MicroPython: the raw prompt a bare board offers on its serial line, which its unix port has not.

Files written through it land in the current folder, as they would on the board's flash.
"""

import io
import sys

GREETING = b"raw REPL; CTRL-B to exit\r\n>"
read, write = sys.stdin.buffer.read, sys.stdout.buffer.write
known = {"__name__": "__main__"}
code = b""

while True:
    key = read(1)
    if not key:
        break
    if key == b"\x01":
        code = b""
        write(GREETING)
    elif key == b"\x02":
        write(b"\r\n>>> ")
    elif key == b"\x03":
        code = b""
    elif key == b"\x05" and not code:
        read(2)
        write(b"R\x00")  # raw paste is known here, but not offered
    elif key == b"\x04" and not code:
        known = {"__name__": "__main__"}
        write(b"OK\r\nMPY: soft reboot\r\n" + GREETING)
    elif key == b"\x04":
        write(b"OK")
        wrong = b""
        try:
            exec(code.decode(), known)
        except Exception as error:  # noqa: BLE001 - a prompt shows whatever its guest did wrong
            told = io.StringIO()
            sys.print_exception(error, told)
            wrong = told.getvalue().encode()
        code = b""
        write(b"\x04" + wrong + b"\x04>")
    elif key != b"\r" or code:
        code += key
