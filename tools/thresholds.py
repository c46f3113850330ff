#!/usr/bin/env python3
"""The table of the classifier's thresholds, with the share of time whose label changes if each is a third
lower or higher.

    thresholds.py [--write] [--jobs N] [CAPTURE|DIR …]

Without captures: prints the table in the source. With captures: measures it again, and with --write stores it
in the source (crates/tcpwhy-analysis/src/thresholds/table/). Directories are searched for captures.

Shares refer to the time whose limit the gaps between sends alone do not decide. Each direction of 100 kB or
more has the same weight.
"""
import argparse, glob, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = f"{ROOT}/crates/tcpwhy-analysis/src/thresholds/table"
CAPTURES = (".pcap", ".pcapng", ".cap", ".trace", ".pcap.gz", ".pcapng.gz", ".pcap.zst", ".pcapng.zst")


def build():
    command = ["cargo", "build", "--profile", "fast", "-p", "tcpwhy-analysis", "--example", "thresholds", "--features",
               "sensitivity"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", f"{ROOT}/target")
    return f"{target}/fast/examples/thresholds"


def captures(arguments):
    for path in arguments:
        if not os.path.isdir(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from (f"{folder}/{n}" for n in names if n.endswith(CAPTURES))


def measure(exe, files, jobs):
    """Rows of the table, and the sums of all captures over the number of directions."""
    files = sorted(files, key=os.path.getsize, reverse=True)
    shares = [files[i::jobs] for i in range(jobs)]
    running = [subprocess.Popen([exe, *s], stdout=subprocess.PIPE, text=True) for s in shares if s or not files]
    outputs = [p.communicate()[0].splitlines() for p in running]
    if any(p.returncode for p in running):
        sys.exit("measuring failed")
    directions = sum(int(o[0]) for o in outputs)
    rows = []
    for lines in zip(*(o[1:] for o in outputs)):
        fields = [line.split("\t") for line in lines]
        sums = [sum(float(f[i]) for f in fields) for i in (7, 8)]
        rows.append((fields[0][:7], [100 * s / directions for s in sums] if directions else None))
    return directions, rows


def write(rows):
    texts = {path: open(path).read() for path in glob.glob(f"{TABLE}/*.rs")}
    for (name, *_), moves in rows:
        figures = ", ".join(f"{m:.2f}" for m in moves)
        found = 0
        for path, text in texts.items():
            texts[path], n = re.subn(rf"(    {name}: .*, )(?:\[[^\]]*\]|UNMEASURED);", rf"\g<1>[{figures}];", text)
            found += n
        if found != 1:
            sys.exit(f"{name} is not in {TABLE} once")
    for path, text in texts.items():
        open(path, "w").write(text)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("captures", nargs="*")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--jobs", type=int, default=1)
    a = ap.parse_args()
    files = list(captures(a.captures))
    directions, rows = measure(build(), files, a.jobs)
    if directions:
        print(f"{directions} directions of {len(files)} captures\n")
        if a.write:
            write(rows)
    print("| name | value | unit | −⅓ | +⅓ | meaning | source |")
    print("|---|---|---|---:|---:|---|---|")
    for (name, value, unit, meaning, source, down, up), moves in rows:
        down, up = moves or (float(down), float(up))
        print(f"| {name} | {value} | {unit} | {down:.2f} | {up:.2f} | {meaning} | {source} |")


if __name__ == "__main__":
    main()
