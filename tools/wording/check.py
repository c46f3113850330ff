"""Applies the rules to a file."""

import re
from dataclasses import dataclass

from . import rules, texts

# Catalogues of Chinese that are Rust tables: help, the reference of scenarios, remarks in printed code, and
# titles of scenarios.
CHINESE_TABLES = (
    "crates/tcpwhy/src/help/chinese.rs",
    "crates/tcpwhy/src/help/errors.rs",
    "crates/tcpwhy/src/lab/reference_zh.rs",
    "crates/tcpwhy-report/src/remarks.rs",
    "crates/tcpwhy-scenario/src/random/titles.rs",
)
# The lint itself, which quotes its patterns.
ITSELF = ("tools/wording/", "docs/dev/words.md")
# Sources whose messages must come from the catalogue.
MESSAGES_OF = "crates/tcpwhy/src/"


@dataclass(frozen=True)
class Hit:
    path: str
    line: int
    rule: rules.Rule
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule.id}: {self.text}\n    → {self.rule.hint} ({self.rule.source})"


def hits(path, source):
    """Everything that a rule finds in a file, by line."""
    found = {}

    def add(line, rule, text):
        found.setdefault((line, rule.id, text), Hit(path, line, rule, text))

    english = []
    for piece in texts.pieces(path, source):
        if piece.language == "zh":
            for line, rule, text in chinese(piece):
                add(line, rule, text)
        else:
            english += [(piece, offset, sentence) for offset, sentence in texts.sentences(piece)]
    # Few rules find anything in a file: only those are applied sentence by sentence.
    together = "\n".join(sentence for _, _, sentence in english)
    small = together.lower()
    applying = [rule for rule in rules.ENGLISH if rule.applies(together, small)]
    for piece, offset, sentence in english:
        for rule in applying:
            for match in rule.pattern.finditer(sentence):
                add(piece.line(offset + match.start()), rule, quoted(sentence, match))
        count = texts.words(sentence) if sentence.count(" ") >= rules.LONG - 1 else 0
        if count >= rules.LONG:
            rule = rules.SENTENCE if count > rules.LONGEST else rules.SECOND_READING
            add(piece.line(offset), rule, f"{count} words: {sentence[:60].replace(texts.CODE * 2, texts.CODE)}…")
    if path in CHINESE_TABLES:
        for number, line in enumerate(source.split("\n"), 1):
            for _, rule, text in chinese(texts.Piece("zh", line, [0], [number])):
                add(number, rule, text)
    for line, columns in long_comments(path, source):
        add(line, rules.COLUMN, f"{columns} columns")
    for line, text in texts_in_code(path, source):
        add(line, rules.TEXT_IN_CODE, text)
    for line, text in chinese_outside(path, source):
        add(line, rules.CHINESE_OUTSIDE, text)
    return sorted(found.values(), key=lambda hit: hit.line)


def chinese(piece):
    for rule in rules.CHINESE:
        for match in rule.pattern.finditer(piece.text):
            yield piece.line(match.start()), rule, match[0]


def quoted(sentence, match):
    """A match with a few words around it."""
    begin, end = max(0, match.start() - 25), match.end() + 25
    text = re.sub(f"{texts.CODE}+", "`…`", sentence[begin:end])
    return ("…" if begin else "") + text.strip() + ("…" if end < len(sentence) else "")


def long_comments(path, source):
    lines = source.split("\n")
    if all(len(line) <= rules.COLUMNS for line in lines):
        return
    for number, _, alone, _ in texts.comment_lines(path, source):
        line = lines[number - 1]
        # An address cannot be wrapped.
        if alone and len(line) > rules.COLUMNS and not re.search(r"https?://\S{40,}", line):
            yield number, len(line)


LITERAL = r'"((?:\\.|[^"\\])*)"'
PRINTED = re.compile(
    r"(?:\b(?:bail|anyhow|e?println|e?print)!\(\s*|\.(?:with_)?context\(\s*|\bensure!\([^\"]*?,\s*|"
    r"\bwrite(?:ln)?!\(\s*[\w.&]+,\s*|\bErr\(\s*format!\(\s*|\|[\w\s,]*\|\s*format!\(\s*|"
    r"\bio::Error::(?:other|new)\((?:[\w:]+,\s*)?)" + LITERAL
)
WORD = re.compile(r"(?<![\w{-])[A-Za-z][a-z]+(?![\w}-])")


TESTS = re.compile(r"^#\[cfg\((?:all\()?test\b.*\]\n(?:#.*\n)*(?:pub(?:\(crate\))? )?mod ", re.MULTILINE)


def without_tests(source):
    """Rust source before its test module."""
    return TESTS.split(source, maxsplit=1)[0]


def texts_in_code(path, source):
    """English text of at least two words that the program prints. Messages of the catalogue have ids
    instead."""
    if not (path.startswith(MESSAGES_OF) and path.endswith(".rs")) or path in CHINESE_TABLES:
        return
    code = re.sub(r"(?m)^[ \t]*//.*$", lambda match: " " * len(match[0]), without_tests(source))
    for match in PRINTED.finditer(code):
        text = re.sub(r"\{[^{}]*\}|`[^`]*`", texts.VALUE, re.sub(r"\\\n\s*", "", match[1]))
        if len(WORD.findall(re.sub(r"https?://\S+|--?[a-z][\w-]*", "", text))) > 1:
            yield code.count("\n", 0, match.start(1)) + 1, f'"{match[1][:60]}"'


HAN = re.compile(r"[㐀-䶿一-鿿]+")
# The name of the language, for a link or a switch that readers of the other language see.
LANGUAGE_NAMES = re.compile("简体中文|中文说明|中文")
SOURCES = (".rs", ".ts", ".mjs", ".py", ".sh", ".c", ".h", ".css", ".html", ".md", ".ftl")


def chinese_outside(path, source):
    is_test = re.search(r"(^|/)tests?/|_test\.|(^|/)tests?\.rs|/testing\.rs", path)
    is_source = path.endswith(SOURCES) or texts.scanner(path, source) is not None
    is_chinese = "zh-CN" in path or "/scenarios/" in path or path in CHINESE_TABLES or path.startswith(ITSELF)
    if is_test or is_chinese or not is_source or texts.GENERATED in source or not HAN.search(source):
        return
    code = without_tests(source) if path.endswith(".rs") else source
    for number, line in enumerate(code.split("\n"), 1):
        if found := HAN.search(LANGUAGE_NAMES.sub("", line)):
            yield number, found[0]
