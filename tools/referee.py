#!/usr/bin/env python3
"""Compares the answers of two programs, for changes that must not change any answer.

    tools/referee.py write DIR [--text] [--program PROGRAM] [CAPTURE|FOLDER…]
    tools/referee.py compare DIR [--text] [--program PROGRAM] [CAPTURE|FOLDER…]

`write` stores the JSON of each capture in DIR; `compare` makes it again and prints the differences, with the
first place. Captures: those given, otherwise samples/ and the folder that TCPWHY_CAPTURES names. Each is
explained as a whole and, with --why, at three times, whose evidence names the reasons. Sentences are omitted,
because wording may change. With --text, the terminal's report and the Markdown are compared instead, which
have the first lines. Ends with status 1 if an answer differs, 2 if a capture has no answer to compare with.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = (".pcap", ".pcapng", ".cap", ".pcap.gz", ".pcapng.gz", ".pcap.zst", ".pcapng.zst")
# Seconds of a connection at which --why asks; if a capture has no such time, the error is the answer.
MOMENTS = ("0.05", "0.2", "1.0")
# Seconds per capture: slower ones are not suitable for frequent comparisons.
PATIENCE = 120


def captures(given):
    folders = [ROOT / "samples"]
    if os.environ.get("TCPWHY_CAPTURES"):
        folders.append(Path(os.environ["TCPWHY_CAPTURES"]))
    for path in [Path(path) for path in given] or folders:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.name.endswith(SUFFIXES) and file.is_file())
        else:
            yield path


# The requests for each capture: a name for its file, and options.
ASKED = [("all", ["--json", "--words", "none"])]
ASKED += [(moment, ["--json", "--words", "none", "--why", moment]) for moment in MOMENTS]
TEXTS = [("text", ["--width", "100"]), ("brief", ["-q", "--width", "80"]), ("markdown", ["--format", "markdown"])]


def answer(program, capture, options):
    command = [program, *options, str(capture)]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return {"status": "timeout"}
    if "--json" not in options:
        return {"status": done.returncode, "lines": done.stdout.decode("utf-8", "replace").splitlines()}
    document = json.loads(done.stdout) if done.stdout else None
    if document:
        document.pop("tool", None)
    return {"status": done.returncode, "document": document}


def first_difference(a, b, at="$"):
    """The first difference of two documents, as a path with both values; None without one."""
    if type(a) is not type(b):
        return f"{at}: {a!r} -> {b!r}"
    if isinstance(a, dict):
        for key in list(a) + [key for key in b if key not in a]:
            if key not in a or key not in b:
                return f"{at}.{key}: only in {'the new' if key in b else 'the old'} answer"
            if found := first_difference(a[key], b[key], f"{at}.{key}"):
                return found
        return None
    if isinstance(a, list):
        for index, (left, right) in enumerate(zip(a, b)):
            if found := first_difference(left, right, f"{at}[{index}]"):
                return found
        return None if len(a) == len(b) else f"{at}: {len(a)} -> {len(b)} entries"
    return None if a == b else f"{at}: {a!r} -> {b!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", default=str(ROOT / "target/debug/tcpwhy"))
    parser.add_argument("--text", action="store_true", help="compare the terminal's report and the Markdown")
    parser.add_argument("captures", nargs="*")
    args = parser.parse_intermixed_args()
    if args.action == "write":
        args.folder.mkdir(parents=True, exist_ok=True)
    asked = TEXTS if args.text else ASKED
    work = [(capture, name, options) for capture in captures(args.captures) for name, options in asked]

    def kept(capture, name):
        of_capture = hashlib.sha256(str(capture.resolve()).encode()).hexdigest()[:16]
        return args.folder / f"{of_capture}-{name}.json"

    def judge(item):
        capture, name, options = item
        now, file = answer(args.program, capture, options), kept(capture, name)
        if args.action == "write":
            file.write_text(json.dumps(now))
            return None
        if not file.exists():
            return (2, f"{capture}: no answer in {args.folder}")
        found = first_difference(json.loads(file.read_text()), json.loads(json.dumps(now)))
        return (1, f"{capture}{'' if name == 'all' else f' ({name})'}: {found}") if found else None

    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        results = [result for result in threads.map(judge, work) if result]
    for _, line in results:
        print(line)
    print(f"{len(work)} answers {'written' if args.action == 'write' else f'compared, {len(results)} differ'}")
    sys.exit(max((status for status, _ in results), default=0))


if __name__ == "__main__":
    main()
