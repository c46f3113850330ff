"""Reads one Rust file: the modules in it, what they define and import, and the paths they use."""

import re
from dataclasses import dataclass, field

# Comments, strings, characters and lifetimes. The name of a lifetime may equal a keyword: 'static.
WORDLESS = re.compile(
    r"""//[^\n]* | /\*.*?\*/
    | \b(?:b|c)?r(?P<hashes>\#*)".*?"(?P=hashes) | "(?:\\.|[^"\\])*"
    | '(?:\\[^\n']{1,8}|\\'|[^'\\\n])' | '[A-Za-z_]\w*""",
    re.VERBOSE | re.DOTALL,
)
# A name after a dot is a field or a method, one after >:: belongs to a type.
FIELD = re.compile(r"\.(?<!\.\.)\s*[A-Za-z_]\w*|>::\w+")
PATH = re.compile(r"[A-Za-z_]\w*(?:\#\w+)?(?:::(?:r\#)?[A-Za-z_]\w*)*(?:!(?=\s*[(\[{]))?")
# Functions that serde and schemars call by a path in a string.
PATH_IN_STRING = re.compile(r'\b(?:with|default|serialize_with|deserialize_with|skip_serializing_if|schema_with)\s*=\s*"([\w:]+)')
PATH_OF_MODULE = re.compile(r'\#\[path\s*=\s*"([^"]+)"\]')
ATTRIBUTE = re.compile(r"\#(?P<inner>!?)\[")
TEST = re.compile(r"(?:test|cfg\(\s*(?P<condition>.*)\))\s*\Z", re.DOTALL)
# A type's own functions may be in several files, so its name does not count there.
OWN_FUNCTIONS = re.compile(r"\bimpl\s*(?:<[^<>{};]*(?:<[^<>]*>[^<>{};]*)*>)?\s*([A-Za-z_]\w*)\s*(?:<[^{};]*?>)?\s*(?=\{)")
# Every alternative starts with a letter or a symbol: Python searches those several times faster.
WORDS = "struct enum union trait type fn static const use mod".split()
STRUCTURE = re.compile(r"\{|\}|!\s*(?=\{)|extern\s*(?=\{)|macro_rules!|" + "|".join(rf"{word}\s" for word in WORDS))
NAME = re.compile(r"\s*(?:mut\s+)?(?:r\#)?([A-Za-z_]\w*)")
MODULE = re.compile(r"\s*(?:r\#)?(\w+)\s*([;{])")
USE = re.compile(r"\s*([\w:{*][^;$]*);")
PUBLIC = re.compile(r"\bpub\s*(?:\([^)]*\)\s*)?\Z")
# `const fn` is a function, found at its own word.
NO_NAME = ("fn", "unsafe", "async", "extern", "_")
ITEM_WITH_BODY = re.compile(
    r"(?:pub\s*(?:\([^)]*\)\s*)?)?(?:(?:unsafe|async|extern|default|const(?=\s+(?:fn|unsafe|async|extern)\b))\s+)*"
    r"(?P<word>fn|impl|trait|struct|enum|mod|union|macro_rules|use|const|static|type|let)\b"
)
BODY = "body"
WITHOUT_BODY = ("use", "const", "static", "type", "let")


@dataclass
class Module:
    """A module: a file, or a `mod` with braces inside a file."""

    file: str
    # Modules from the crate's root down.
    parent: "Module" = None
    items: set = field(default_factory=set)
    # Paths of `use` by the name that each imports: None for a glob, "_" for a trait without a name.
    imports: dict = field(default_factory=dict)
    # Paths in the code and in private imports, each as a tuple of names; a macro's name ends with "!".
    paths: set = field(default_factory=set)
    inline: dict = field(default_factory=dict)
    # `mod name;` with the path of its attribute, or None.
    declared: list = field(default_factory=list)
    macros: set = field(default_factory=set)


def code(text):
    """The text with spaces for comments, strings, characters, lifetimes and test-only code."""
    return without_tests(WORDLESS.sub(lambda found: " " * len(found.group()), text))


def without_tests(text):
    position = 0
    while found := ATTRIBUTE.search(text, position):
        end = closing(text, found.end() - 1) + 1
        position = end
        if not is_test(text[found.end() : end - 1].strip()):
            continue
        if found["inner"]:
            return ""
        stop = end_of_item(text, end)
        text = text[: found.start()] + " " * (stop - found.start()) + text[stop:]
        position = stop
    return text


def is_test(attribute):
    found = TEST.match(attribute)
    if not found:
        return False
    if found["condition"] is None:
        return True
    condition = found["condition"].strip().rstrip(",").strip()
    if condition.startswith("all(") and condition.endswith(")"):
        return "test" in [part.strip() for part in split(condition[4:-1])]
    return condition == "test"


def split(text):
    """The parts between commas outside of brackets."""
    depth, parts, start = 0, [], 0
    for position, sign in enumerate(text):
        depth += (sign in "({[") - (sign in ")}]")
        if sign == "," and not depth:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


def closing(text, opening):
    """The position where the bracket at `opening` is closed."""
    depth = 0
    for found in re.compile(r"[()\[\]{}]").finditer(text, opening):
        depth += 1 if found.group() in "([{" else -1
        if not depth:
            return found.start()
    return len(text) - 1


def end_of_item(text, position):
    """The end of the item, statement, field or arm that follows attributes."""
    while found := re.compile(r"\s*\#\[").match(text, position):
        position = closing(text, found.end() - 1) + 1
    position = re.compile(r"\s*").match(text, position).end()
    item = ITEM_WITH_BODY.match(text, position)
    ends = ";" if item and item["word"] in WITHOUT_BODY else ";{" if item else ";,"
    while found := re.compile(r"[()\[\]{};,]").search(text, position):
        sign = found.group()
        if sign in ends:
            return (closing(text, found.start()) if sign == "{" else found.start()) + 1
        if sign in ")]}":
            return found.start()
        position = closing(text, found.start()) + 1 if sign in "([{" else found.end()
    return len(text)


def names_of(path):
    return tuple(name.removeprefix("r#") for name in path.split("::") if name)


def tree(text, before=()):
    """The paths of a `use` declaration, with the names that they import."""
    for part in split(text):
        part = part.strip()
        head, brace, rest = part.partition("{")
        if brace:
            yield from tree(rest.rpartition("}")[0], before + names_of(head.strip()))
        elif part:
            path, _, name = part.partition(" as ")
            path = before + names_of(path.strip())
            if path[-1] == "self" and len(path) > 1:
                path = path[:-1]
            if path[-1] == "*":
                yield path[:-1], None
            else:
                yield path, name.strip() or path[-1]


def read(file, text):
    """The modules of one file, as one Module that contains the others."""
    return Reader(file, text).top


class Reader:
    """Parses a file in one pass. A brace opens a module, a body, or neither (`extern`, a macro's)."""

    def __init__(self, file, text):
        self.text, self.source = text, FIELD.sub(" ", code(text))
        self.top = self.here = Module(file)
        # State of the module `here`, read up to `last`.
        self.braces, self.bodies, self.last = [], 0, 0
        # Private imports of each module: paths with the names that they import.
        self.private = {}
        self.pieces = [(self.top, [])]
        transparent, position = None, 0
        while found := STRUCTURE.search(self.source, position):
            start, position = found.span()
            word = found.group().rstrip()
            if word == "{":
                self.open(None if start == transparent else BODY)
            elif word == "}":
                self.close(start)
            elif word[-1] == "!" and word != "macro_rules!" or word == "extern":
                transparent = position
            elif start and (self.source[start - 1].isalnum() or self.source[start - 1] in "_*"):
                continue
            elif word == "use":
                position = self.use(start, position)
            elif word == "mod":
                position = self.module(start, position)
            elif word == "macro_rules!":
                name = NAME.match(self.source, position)[1]
                self.here.items.add(name)
                self.top.macros.add(name)
            elif not self.bodies:
                name = NAME.match(self.source, position)
                if name and name[1] not in NO_NAME:
                    self.here.items.add(name[1])
        self.leave(len(self.source), len(self.source))
        for module, texts in self.pieces:
            joined = "\n".join(texts)
            own = set(OWN_FUNCTIONS.findall(joined))
            paths = set(map(names_of, set(PATH.findall(OWN_FUNCTIONS.sub(" ", joined)))))
            module.paths |= paths
            used = {path[0] for path in paths}
            # The compiler warns about an unused private import; a trait's import is used without its name.
            for path, name in self.private.get(id(module), ()):
                if name in used or name not in own:
                    module.paths.add(path)
        self.top.paths |= {names_of(path) for path in PATH_IN_STRING.findall(text)}

    def open(self, kind):
        self.braces.append(kind)
        self.bodies += kind is BODY

    def close(self, start):
        kind = self.braces.pop() if self.braces else None
        self.bodies -= kind is BODY
        if isinstance(kind, Module):
            self.leave(start, start + 1, kind)

    def leave(self, end, after, module=None):
        """Assigns the text up to `end` to the current module; from `after` on, text belongs to the given
        one."""
        self.pieces[-1][1].append(self.source[self.last : end])
        self.last = after
        if module:
            self.here = module
            self.pieces.append((module, []))

    def use(self, start, position):
        found = USE.match(self.source, position)
        if not found:
            return position
        public = PUBLIC.search(self.source, max(start - 60, 0), start) is not None
        for path, name in tree(found[1]):
            self.here.imports.setdefault(name, []).append(path)
            # A re-export may be used by other files only.
            if not public:
                self.private.setdefault(id(self.here), []).append((path, name))
        self.leave(start, found.end())
        return found.end()

    def module(self, start, position):
        found = MODULE.match(self.source, position)
        if not found:
            return position
        name, end = found.groups()
        if end == ";":
            attributes = self.text[max(self.source.rfind(sign, 0, start) for sign in ";{}") + 1 : start]
            path = PATH_OF_MODULE.search(attributes)
            self.here.declared.append((name, path and path[1]))
            self.leave(start, found.end())
        elif self.bodies:
            self.open(BODY)
        else:
            outer, inner = self.here, Module(self.top.file, self.here)
            outer.inline.setdefault(name, []).append(inner)
            self.leave(start, found.end(), inner)
            self.braces.append(outer)
        return found.end()
