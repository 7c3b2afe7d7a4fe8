"""What it costs a match to be watched: with and without --web in turn, wall and processor time by wait4.

    python3 arbiter/benches/watched.py PAIRS WATCHER ARBITER BOTS AND OPTIONS...

WATCHER is nobody, raw (a client that reads events and does nothing with them), or the command of a browser, which gets the
link. Processor time is that of the program and its bots, and of no watcher."""
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time


def read(port, token):
    """Reads events until the match is over."""
    page = socket.create_connection(("127.0.0.1", port))
    head = (f"GET /api/page HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Sec-WebSocket-Protocol: arbiter, {token}\r\n\r\n")
    said = b'{"act":"hello"}'
    page.sendall(head.encode() + bytes([0x81, 0x80 | len(said), 0, 0, 0, 0]) + said)
    tail = b""
    while some := page.recv(1 << 20):
        tail = tail[-16:] + some
        if b'"ev":"over"' in tail:
            break
    page.close()


def run(watcher, command):
    began = time.monotonic()
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    watching = []

    def listen():
        for line in program.stderr:
            if link := re.search(r"http://127\.0\.0\.1:(\d+)/#t=(\w+)", line):
                if watcher == "raw":
                    threading.Thread(target=read, args=(int(link[1]), link[2]), daemon=True).start()
                elif watcher != "nobody":
                    watching.append(subprocess.Popen([*watcher.split(), link[0]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    listener = threading.Thread(target=listen)
    listener.start()
    _, status, used = os.wait4(program.pid, 0)
    took = time.monotonic() - began
    program.returncode = os.waitstatus_to_exitcode(status)
    listener.join()
    for browser in watching:
        browser.kill()
        browser.wait()
    assert program.returncode == 0, program.returncode
    return took, used.ru_utime + used.ru_stime


pairs, watcher, *command = sys.argv[1:]
plain, watched = [], []
for _ in range(int(pairs)):
    plain.append(run("nobody", command))
    watched.append(run(watcher, [*command, "--web"]))
for place, what in enumerate(["wall", "processor"]):
    one, other = ([times[place] for times in of] for of in (plain, watched))
    ratios = [b / a for a, b in zip(one, other)]
    print(f"{what}: {statistics.median(one):.3f} s, watched {statistics.median(other):.3f} s; "
          f"median of ratios {statistics.median(ratios):.4f}, least {min(other) / min(one):.4f}")
