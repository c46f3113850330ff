"""Finds the text that a person reads in a file: messages, paragraphs of documents, comments.

Everything else is blanked before a rule sees it: code, addresses, quotations, placeholders. Offsets stay the
same, so that a hit can be printed with its line.
"""

import bisect
import re
from dataclasses import dataclass
from functools import lru_cache

# Stand for what is left out: a piece of code or a quoted letter, and a value that the program fills in.
CODE, VALUE = "¤", "§"


@dataclass
class Piece:
    """A stretch of text in one language: a paragraph, a list item, a table cell, a heading, a message."""

    language: str
    text: str
    offsets: list
    lines: list

    @classmethod
    def of(cls, language, parts):
        """Joins (line number, text) pairs with spaces."""
        offsets, lines, text = [], [], ""
        for line, part in parts:
            offsets.append(len(text))
            lines.append(line)
            text += part + " "
        return cls(language, clean(text), offsets, lines)

    def line(self, offset):
        return self.lines[bisect.bisect_right(self.offsets, offset) - 1]


def language_of(path):
    return "zh" if "zh-CN" in path else "en"


BLANKS = [
    # Code spans; spaces too, so that a span is one word.
    (re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)"), lambda m: CODE * len(m[0])),
    (re.compile(r"<https?://[^>]*>|https?://[^\s)>\]]*[^\s)>\].,:;]"), lambda m: CODE * len(m[0])),
    # The target of a link.
    (re.compile(r"(?<=\])(?:\([^)\s]*\)|\[[^\]\s]*\])"), lambda m: " " * len(m[0])),
    # Quotations: the words of somebody else, still counted one by one.
    (re.compile(r"“[^”]{1,200}”|(?<![\w\"])\"[^\"]{1,200}\"(?!\w)"), lambda m: re.sub(r"\S", CODE, m[0])),
    (re.compile(r"\*\*|__|<!--.*?-->|</?[a-z][^<>]*>"), lambda m: " " * len(m[0])),
]


def clean(text):
    for pattern, blank in BLANKS:
        text = pattern.sub(blank, text)
    return text


ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|St|Dr|Fig|Sec)|\b[A-Z])\.$")
END = re.compile(r"[.!?…][)\"”’*_]*\s+(?=[\"“‘(\[*_]*(?:[A-Z0-9" + CODE + VALUE + r"]|tcpwhy\b))|[。！？]")


def sentences(piece):
    """(offset, sentence) of each sentence of a piece."""
    begin = 0
    for end in [*END.finditer(piece.text), None]:
        stop = end.end() if end else len(piece.text)
        if end and ABBREVIATION.search(piece.text[begin : end.start() + 1]):
            continue
        sentence = piece.text[begin:stop]
        if bare := sentence.strip():
            yield begin + len(sentence) - len(sentence.lstrip()), bare
        begin = stop


def words(sentence):
    return sum(1 for word in sentence.split() if re.search(r"\w|[" + CODE + VALUE + "]", word))


# Markdown

FENCE = re.compile(r"\s*(```|~~~)")
ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
HEADING = re.compile(r"\s*#{1,6} ")
CELL = re.compile(r"(?<!\\)\|")


def paragraphs(language, numbered, has_indented_code=False):
    """The pieces of markdown, given as (line number, text) pairs."""
    gathered, fenced, is_item = [], False, False
    for number, text in [*numbered, (0, "")]:
        bare = text.strip()
        starts = ITEM.match(text)
        is_code = has_indented_code and text.startswith("  ") and not is_item and not starts
        is_block = HEADING.match(text) or bare.startswith("|") or FENCE.match(text)
        if gathered and (not bare or starts or is_code or fenced or is_block):
            yield Piece.of(language, gathered)
            gathered = []
        if FENCE.match(text):
            fenced = not fenced
        elif fenced or is_code or bare.startswith(("<!--", "![", "[^", "!/")) or re.match(r"\[[^\]]+\]: ", bare):
            pass
        elif bare.startswith("|"):
            if not re.fullmatch(r"[|:\- ]+", bare):
                for cell in CELL.split(bare.strip("|")):
                    if cell.strip():
                        yield Piece.of(language, [(number, cell.strip())])
        elif HEADING.match(text):
            yield Piece.of(language, [(number, bare.lstrip("#").strip())])
        elif bare.strip("-=─ "):
            is_item = is_item or bool(starts)
            gathered.append((number, text[starts.end() :] if starts else bare.lstrip("> ")))
        else:
            is_item = False


# Fluent catalogues

MESSAGE = re.compile(r"-?[A-Za-z][\w-]* =|\s+\.[\w-]+ =")


def messages(language, source):
    """The messages of a catalogue: with the default variant of each choice, and each other variant alone."""
    value = []
    for number, text in [*enumerate(source.split("\n"), 1), (0, "end =")]:
        start = MESSAGE.match(text)
        if start or text.startswith("#"):
            if value:
                yield from flat(language, value)
            value = [(number, text[start.end() :])] if start else []
        elif value:
            value.append((number, text))


def flat(language, value):
    others = []
    yield from split_at_blanks(language, parts_of(Reader(value), others, False))
    while others:
        yield from split_at_blanks(language, others.pop())


# A line of examples in help: a command, and after two spaces what it does, which may begin a line below.
EXAMPLE = re.compile(r" {6}(?: *\S+(?: \S+)*)??(?: {2,}(?P<remark>\S.*))?$")


def split_at_blanks(language, parts):
    """Pieces of (line number, text) parts, one per paragraph; parts of a line are joined without a space."""
    lines = []
    for number, text in parts:
        if lines and lines[-1][0] == number:
            lines[-1] = (number, lines[-1][1] + text)
        else:
            lines.append((number, text))
    prose = []
    for number, text in lines:
        if example := EXAMPLE.match(text):
            # An empty line ends the paragraph before it.
            prose += [(number, ""), (number, example["remark"] or ""), (number, "")]
        else:
            prose.append((number, text.strip()))
    yield from paragraphs(language, prose)


class Reader:
    """The letters of a message, with the line of each."""

    def __init__(self, value):
        self.text = "\n".join(text for _, text in value)
        self.numbers = [number for number, _ in value]
        self.at = 0

    def line(self):
        return self.numbers[self.text.count("\n", 0, self.at)]


CHOICE = re.compile(r"\{[^{}\"]*->")
VARIANT = re.compile(r"\s*(\*?)\[[^\]]*\][ \t]*")
FILLED = re.compile(r"\{[^{}\"]*(?:\"[^\"]*\"[^{}\"]*)*\}")


def parts_of(reader, others, is_variant):
    """(line number, text) up to the end of a message or, in a choice, of a variant."""
    parts, text = [], ""

    def flush():
        nonlocal text
        if text or not parts:
            parts.append((reader.line(), text))
        text = ""

    while reader.at < len(reader.text):
        sign = reader.text[reader.at]
        if is_variant and (sign == "}" or (sign == "\n" and VARIANT.match(reader.text, reader.at))):
            break
        if sign == "\n":
            flush()
            reader.at += 1
            if reader.at < len(reader.text) and reader.text[reader.at] == "\n":
                parts.append((reader.line(), ""))
        elif choice := CHOICE.match(reader.text, reader.at):
            flush()
            reader.at = choice.end()
            variants = []
            while variant := VARIANT.match(reader.text, reader.at):
                reader.at = variant.end()
                variants.append((variant[1], parts_of(reader, others, True)))
            reader.at = reader.text.find("}", reader.at) + 1 or len(reader.text)
            for is_default, found in variants:
                if is_default:
                    # In one line, so that what follows on the line of the brace stays with it.
                    text += " ".join(part.strip() for _, part in found)
                else:
                    others.append(found)
        elif filled := FILLED.match(reader.text, reader.at):
            literal = re.fullmatch(r"\{\s*\"([^\"]*)\"\s*\}", filled[0])
            text += literal[1] if literal else VALUE
            reader.at = filled.end()
        else:
            text += sign
            reader.at += 1
    flush()
    return parts


# Comments

REGEX = r"/(?![/*])(?:\\.|[^/\\\n])+/"
STRINGS = {
    "rs": r"\bb?r(?P<hashes>#*)\".*?\"(?P=hashes)|\"(?:\\.|[^\"\\])*\"|'(?:\\.[^']{0,8}|[^'\\\n])'",
    "c": r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'",
    "ts": r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|"
    rf"(?<=[=(,:!&|?] ){REGEX}|(?<=\(){REGEX}",
}
SLASHES = {
    name: re.compile(rf"(?P<string>{strings})|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)", re.DOTALL)
    for name, strings in STRINGS.items()
}
PYTHON = re.compile(
    r"(?P<doc>^[ \t]*[rb]?\"\"\".*?\"\"\")|"
    r"(?P<string>\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<line>#[^\n]*)",
    re.DOTALL | re.MULTILINE,
)
SHELL = re.compile(r"(?m)(?:^[ \t]*|(?<=[ \t]{2}))(?P<line>#(?!!)[^\n]*)")
MARKER = re.compile(r"//[/!]?|#")
BLOCK = re.compile(r"^\s*(?:/\*\*?|\*(?!/))|\s*\*/\s*$")
DOCSTRING = re.compile(r"^\s*[rb]?\"\"\"|\"\"\"\s*$")
SHEBANG = re.compile(r"#!\S*/(?:env )?(?:ba|da)?sh\b")


def scanner(path, source):
    ending = path.rsplit(".", 1)[-1] if "." in path.rsplit("/", 1)[-1] else ""
    if ending in ("rs",):
        return SLASHES["rs"]
    if ending in ("c", "h"):
        return SLASHES["c"]
    if ending in ("ts", "mjs"):
        return SLASHES["ts"]
    if ending == "py":
        return PYTHON
    if ending in ("sh", "toml", "ftl") or SHEBANG.match(source):
        return SHELL
    return None


@lru_cache(maxsize=1)
def comment_lines(path, source):
    """For each line of comment: number, text without marker, whether nothing else is on the line, marker."""
    return list(read_comments(path, source))


def read_comments(path, source):
    pattern = scanner(path, source)
    if pattern is None:
        return
    line, seen = 1, 0
    for found in pattern.finditer(source):
        kind = found.lastgroup
        if kind == "string" or kind is None:
            continue
        start = found.start(kind)
        line += source.count("\n", seen, start)
        seen = start
        alone = not source[source.rfind("\n", 0, start) + 1 : start].strip()
        text = found[kind]
        if kind == "line":
            marker = MARKER.match(text)[0]
            yield line, text[len(marker) :].removeprefix(" "), alone, marker
            continue
        for number, text in enumerate(text.split("\n"), line):
            # A docstring is a comment too.
            edge = DOCSTRING if kind == "doc" else BLOCK
            yield number, edge.sub("", text).removeprefix(" "), alone, kind


def comments(path, source):
    """The paragraphs of the comments of a source file."""
    gathered, last = [], None
    for number, body, alone, marker in comment_lines(path, source):
        follows = last is not None and alone and number == last[0] + 1 and marker == last[1]
        if not follows and gathered:
            yield from paragraphs("en", gathered, has_indented_code=True)
            gathered = []
        gathered.append((number, body))
        last = (number, marker)
    if gathered:
        yield from paragraphs("en", gathered, has_indented_code=True)


# Stories of the lab's scenarios

STORY = re.compile(r"^\[story\.(en|zh-CN)\]\n(.*?)(?=^\[)", re.MULTILINE | re.DOTALL)


def stories(source):
    for story in STORY.finditer(source):
        first = source.count("\n", 0, story.start(2)) + 1
        numbered = []
        for number, text in enumerate(story[2].split("\n"), first):
            text = re.sub(r'^(?:title|text|told) = "+|"+$', "", text).removesuffix("\\")
            numbered.append((number, text))
            if story[2].split("\n")[number - first].startswith("title"):
                numbered.append((number, ""))
        yield from paragraphs("zh" if story[1] != "en" else "en", numbered)


GENERATED = "<!-- written by tcpwhy -->"


def pieces(path, source):
    """All pieces of text of a file."""
    if path.endswith(".md"):
        if GENERATED not in source:
            yield from paragraphs(language_of(path), list(enumerate(source.split("\n"), 1)))
        return
    if path.endswith(".ftl"):
        yield from messages(language_of(path), source)
    elif "/scenarios/" in path and path.endswith(".toml"):
        yield from stories(source)
    yield from comments(path, source)
