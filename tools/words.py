#!/usr/bin/env python3
"""Checks messages, documents and comments against docs/dev/words.md.

    tools/words.py [--warn] [FILE…]     what is new since the baseline; status 1 if there is any
    tools/words.py --all [FILE…]        every hit, also those of the baseline
    tools/words.py --rules              the rules, and how many hits the baseline has of each
    tools/words.py --shrink             writes a smaller baseline after rewording or renaming
    tools/words.py --move OLD NEW       text went from OLD to NEW: its hits in the baseline go with it
    tools/words.py --self-test

--warn adds sentences of 25 to 30 words. The baseline (tools/words.baseline) counts the hits that were there
when the lint came. It only shrinks: no option raises the sum.
"""

import argparse
import re
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

# Avoids cache files in the checkout.
sys.dont_write_bytecode = True

from wording import baseline, check, rules  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
BASELINE = Path(__file__).with_suffix(".baseline")
HEAD = ["Hits of tools/words.py that are left: COUNT RULE FILE. Numbers only go down: tools/words.py --shrink"]
# Endings of files without text, or with text of other people.
SKIPPED = (".svg", ".webp", ".gz", ".zst", ".lock", ".json", ".txt", ".webmanifest", ".pcap")
# Most printed hits per file and rule.
PRINTED = 20
# Catalogues of other languages have no rules here.
OTHER_LANGUAGES = re.compile(r"/locales/(?!en/|zh-CN/)")


def files():
    """Paths of the repository's text files, including new ones."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        sys.exit("tools/words.py needs a git checkout, to know which files are the project's")
    paths = {path for path in listed.stdout.split("\0") if path and not path.endswith(SKIPPED)}
    return sorted(path for path in paths if (ROOT / path).is_file() and not OTHER_LANGUAGES.search(path))


def hits_of(paths):
    for path in paths:
        try:
            yield from check.hits(path, (ROOT / path).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue


def counted(hits):
    return Counter((hit.path, hit.rule.id) for hit in hits if hit.rule is not rules.SECOND_READING)


def report(hits, excess):
    for (path, rule), count in sorted(excess.items()):
        here = [hit for hit in hits if (hit.path, hit.rule.id) == (path, rule)]
        if len(here) > count:
            print(f"{path}: {count} more of {rule} than the baseline has ({len(here) - count}); all of them:")
        print("\n".join(map(str, here[:PRINTED])))
        if len(here) > PRINTED:
            print(f"    and {len(here) - PRINTED} more: tools/words.py --all {path}")
    total = sum(excess.values())
    print(f"\n{total} new {'hit' if total == 1 else 'hits'}. The rules, with examples: docs/dev/words.md.")
    print("If the text came from another file: tools/words.py --move OLD NEW. A renamed file needs nothing.")


def print_rules(allowed):
    sums = Counter()
    for (_, rule), count in allowed.items():
        sums[rule] += count
    for rule in {rule.id: rule for rule in rules.ALL}.values():
        print(f"{sums[rule.id]:5} {rule.id:16} {rule.hint}")
    print(f"{sum(sums.values()):5} in all")


def self_test():
    suite = unittest.defaultTestLoader.loadTestsFromName("wording.tests")
    return 0 if unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(suite).wasSuccessful() else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--warn", "--all", "--rules", "--shrink", "--self-test"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--move", nargs=2, metavar=("OLD", "NEW"))
    parser.add_argument("files", nargs="*", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    allowed = baseline.read(BASELINE)
    if arguments.rules:
        return print_rules(allowed)
    known = files()
    wanted = {str(Path(file).resolve().relative_to(ROOT)) for file in arguments.files}
    if unknown := wanted.difference(known):
        sys.exit(f"not among the files that are checked: {', '.join(sorted(unknown))}")
    # A new file may replace a removed one, so all files are read before the baseline is written.
    everything = arguments.shrink or arguments.move or not wanted
    hits = list(hits_of(known if everything else sorted(wanted)))
    if arguments.all:
        print("\n".join(map(str, hits)))
        return 0
    found = counted(hits)
    if arguments.move:
        old, new = arguments.move
        moved = baseline.move(allowed, found, old, new)
        baseline.write(BASELINE, moved, HEAD)
        print(f"moved {sum((moved - allowed).values())} from {old} to {new}")
        return 0
    if arguments.warn:
        print("\n".join(str(hit) for hit in hits if hit.rule is rules.SECOND_READING))
    excess, now = baseline.compare(allowed, found, set(known))
    if arguments.shrink:
        baseline.write(BASELINE, now, HEAD)
        print(f"{sum(allowed.values())} hits before, {sum(now.values())} now")
    elif everything and now != allowed:
        fewer = sum(allowed.values()) - sum(now.values())
        print(f"{fewer} hits fewer than in the baseline, or files renamed: run tools/words.py --shrink")
    if excess:
        report(hits, excess)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
