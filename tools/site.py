#!/usr/bin/env python3
"""Writes the sources of the documentation site (mdBook), one book per language, from README, docs/ and the
other top-level pages.

    tools/site.py FOLDER             writes FOLDER/en and FOLDER/zh-CN
    tools/site.py --check SITE       fails if a page of a built site leads to one that is not there
"""

import html
import os
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "https://github.com/tcpwhy/tcpwhy/blob/main/"
ZH = ".zh-CN.md"
# Pages next to the case book, in order; a language without the page skips it.
PAGES = [
    "docs/install",
    "docs/reading-a-report",
    "docs/explain",
    "docs/terminal",
    "docs/why",
    "docs/page",
    "docs/audit",
    "docs/live",
    "docs/export",
    "docs/record",
    "docs/buffers",
    "docs/socket-buffers",
    "docs/lab",
    "docs/scenarios",
    "docs/json",
    "docs/python",
    "docs/library",
    "docs/spark",
    "docs/tables",
    "docs/accuracy",
    "docs/accuracy-field",
    "docs/accuracy-live",
    "docs/anonymize",
    "docs/rights",
    "docs/glossary",
]
ABOUT = [
    "ARCHITECTURE",
    "docs/dev/inference",
    "docs/dev/hypothesis",
    "docs/dev/crates",
    "docs/dev/audit",
    "docs/dev/buffers",
    "docs/dev/known-gaps",
    "docs/dev/tried",
    "docs/dev/measurements",
    "docs/dev/words",
    "CONTRIBUTING",
    "SECURITY",
    "CHANGELOG",
    "CODE_OF_CONDUCT",
]
WORDS = {
    "en": {"title": "tcpwhy", "book": "Cases", "about": "About the project"},
    "zh-CN": {"title": "tcpwhy", "book": "案例集", "about": "关于项目"},
}
CHINESE_STRONG = re.compile(r"\*\*([^*\n]*[：，。、；）])\*\*(?=\S)")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def page_of(name, language):
    """The file of a page in a language, if there is one."""
    path = ROOT / (name + (ZH if language == "zh-CN" else ".md"))
    return path if path.exists() else None


def title(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return path.stem


def in_book(path):
    """The location of a repository file in the book of its language: (language, path)."""
    name = path.relative_to(ROOT).as_posix()
    language = "en"
    if name.endswith(ZH):
        language, name = "zh-CN", name[: -len(ZH)] + ".md"
    # mdBook gives the first page of a folder this name.
    return language, re.sub(r"README\.md$", "index.md", name.removeprefix("docs/"))


def translate(path, language, pages):
    """The text of a page, with its links as in the book."""
    here = in_book(path)[1]

    def link(match):
        target, _, part = match[2].partition("#")
        if not target or ":" in target:
            return match[0]
        to = (path.parent / unquote(target)).resolve()
        part = f"#{part}" if part else ""
        if to in pages:
            other, place = in_book(to)
            up = os.path.relpath(place, os.path.dirname(here) or ".")
            if other != language:
                # A link into the other book: the Chinese book is in a folder of the English one.
                place = place.removesuffix(".md") + ".html"
                depth = here.count("/") + (language == "zh-CN")
                up = "../" * depth + ("zh-CN/" if other == "zh-CN" else "") + place
            return f"{match[1]}{up}{part}{match[3]}"
        if to.is_relative_to(ROOT / "docs") and to.is_file():
            place = to.relative_to(ROOT / "docs").as_posix()
            return f"{match[1]}{os.path.relpath(place, os.path.dirname(here) or '.')}{part}{match[3]}"
        if to.is_relative_to(ROOT) and to.exists():
            return f"{match[1]}{SOURCE}{to.relative_to(ROOT).as_posix()}{part}{match[3]}"
        return match[0]

    text = LINK.sub(link, path.read_text(encoding="utf-8"))
    # After Chinese punctuation, CommonMark does not recognise the end of emphasis before another character.
    return CHINESE_STRONG.sub(r"<strong>\1</strong>", text)


def cases(language):
    """The cases, in the order of the book's own table."""
    index = page_of("docs/cases/README", language)
    ending = re.escape(ZH if language == "zh-CN" else ".md")
    names = re.findall(rf"^\| \[[^]]*\]\(([^)]+?){ending}\)", index.read_text(encoding="utf-8"), re.MULTILINE)
    return [index] + [page_of(f"docs/cases/{name}", language) for name in dict.fromkeys(names)]


def write(folder):
    chosen = {}
    for language in WORDS:
        pages = [page_of(name, language) for name in ["README", *PAGES]]
        about = [page_of(name, language) for name in ABOUT]
        chosen[language] = ([p for p in pages if p], cases(language), [p for p in about if p])
    every = {path for groups in chosen.values() for group in groups for path in group}
    for language, (pages, book, about) in chosen.items():
        words = WORDS[language]
        src = folder / language / "src"
        # Pictures and charts of pages, without pages of the other language.
        shutil.copytree(ROOT / "docs", src, ignore=shutil.ignore_patterns("*.md"))
        lines = [f"# {words['title']}", ""]
        for path in pages:
            lines.append(f"- [{title(path)}]({in_book(path)[1]})")
        lines.append(f"- [{words['book']}]({in_book(book[0])[1]})")
        lines += [f"  - [{title(path)}]({in_book(path)[1]})" for path in book[1:]]
        if about:
            lines += ["", f"# {words['about']}", ""]
            lines += [f"- [{title(path)}]({in_book(path)[1]})" for path in about]
        (src / "SUMMARY.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for path in [*pages, *book, *about]:
            target = src / in_book(path)[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(translate(path, language, every), encoding="utf-8")
        (folder / language / "book.toml").write_text(
            f"""[book]
title = "{words['title']}"
language = "{language}"

[output.html]
git-repository-url = "https://github.com/tcpwhy/tcpwhy"
no-section-label = true

[output.html.fold]
enable = true

[output.html.search]
limit-results = 40
heading-split-level = 2
""",
            encoding="utf-8",
        )


def check(site):
    """Checks that every link of every page has a target."""
    broken, links = [], 0
    for page in sorted(site.rglob("*.html")):
        if page.name in ("print.html", "404.html", "toc.html"):
            continue
        for target in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            target = unquote(html.unescape(target))
            if re.match(r"[a-z]+:|//|/", target):
                continue
            links += 1
            if not (page.parent / target).resolve().exists():
                broken.append(f"{page.relative_to(site)}: {target}")
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{links} links, {len(broken)} of them broken")
    return 1 if broken else 0


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") and sys.argv[1:2] != ["--check"]:
        sys.exit("usage: tools/site.py [--check] DIR")
    if sys.argv[1] == "--check":
        sys.exit(check(Path(sys.argv[2]).resolve()))
    write(Path(sys.argv[1]).resolve())


main()
