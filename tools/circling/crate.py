"""The modules of a crate, and which file defines the name that a path ends at."""

from pathlib import Path

from . import source

# A crate's roots, below its src/.
ROOTS = ("lib.rs", "main.rs", "bin/*.rs", "bin/*/main.rs")


class Crate:
    """All modules of a crate, with the dependencies between its files."""

    def __init__(self, folder):
        folder = Path(folder)
        self.name = folder.name.replace("-", "_")
        self.macros, self.answers = {}, {}
        # A name may have several modules, if the target selects one: `#[cfg(unix)] mod file;`.
        self.children = {}
        self.modules = []
        self.library = None
        for path in sorted(path for pattern in ROOTS for path in (folder / "src").glob(pattern)):
            root = self.module_of(path, path.parent)
            if path.name == "lib.rs":
                self.library = root

    def module_of(self, path, folder, parent=None):
        """The module in a file, whose children are in `folder`, and all below it."""
        module = source.read(str(path), path.read_text(encoding="utf-8"))
        module.parent = parent
        for name in module.macros:
            self.macros.setdefault(name + "!", set()).add(module.file)
        self.enter(module, folder, path.parent)
        return module

    def enter(self, module, folder, beside):
        self.modules.append(module)
        children = self.children[id(module)] = {}
        for name, inner in module.inline.items():
            children.setdefault(name, []).extend(inner)
            for each in inner:
                self.enter(each, folder / name, folder / name)
        for name, attribute in module.declared:
            candidates = [beside / attribute] if attribute else [folder / f"{name}.rs", folder / name / "mod.rs"]
            for path in filter(Path.is_file, candidates):
                below = path.parent if path.name == "mod.rs" or attribute else folder / name
                children.setdefault(name, []).append(self.module_of(path, below, module))

    def root(self, module):
        while module.parent:
            module = module.parent
        return module

    def start(self, module, path):
        """The module at which a path starts, and the names after it; None if its first name must be looked
        up."""
        rest = list(path)
        if rest[0] in ("crate", "$crate"):
            return self.root(module), rest[1:]
        if rest[0] == self.name and self.library:
            return self.library, rest[1:]
        if rest[0] not in ("self", "super"):
            return None, rest
        while rest and rest[0] in ("self", "super"):
            if rest.pop(0) == "super":
                module = module.parent or module
        return module, rest

    def resolve(self, module, path, seen=frozenset()):
        """The meaning of a path: modules (Here) and items (file, name), or nothing in this crate's
        modules."""
        key = (id(module), path)
        if key in seen:
            return set()
        if not seen and key in self.answers:
            return self.answers[key]
        seen = seen | {key}
        start, rest = self.start(module, path)
        if start is None:
            found = self.lookup(module, rest.pop(0), seen)
        else:
            found = {Here(start)}
        while rest:
            modules = [each.module for each in found if isinstance(each, Here)]
            items = {each for each in found if not isinstance(each, Here)}
            # Names inside an item: variants, associated functions.
            if not modules:
                return self.keep(key, seen, items)
            name = rest.pop(0)
            found = set().union(*(self.lookup(each, name, seen) for each in modules))
            if not found and not items and not any(self.imports_others(each, name) for each in modules):
                # A macro of the file defines it.
                found = {(each.file, name.rstrip("!")) for each in modules}
            found = found or items
        return self.keep(key, seen, found)

    def keep(self, key, seen, found):
        if len(seen) == 1:
            self.answers[key] = found
        return found

    def imports_others(self, module, name):
        """Whether the name may come from another crate."""
        name = name.rstrip("!")
        return name in module.imports or None in module.imports

    def lookup(self, module, name, seen):
        """The meaning of a name in a module: its own item, its child, an import, or otherwise from a glob."""
        bare = name.rstrip("!")
        found = {Here(child) for child in self.children[id(module)].get(bare, ())}
        if bare in module.items:
            found.add((module.file, bare))
        for path in module.imports.get(bare, ()):
            found |= self.resolve(module, path, seen)
        if found:
            return found
        for path in module.imports.get(None, ()):
            for glob in self.resolve(module, path, seen):
                step = (id(glob.module), name, "*") if isinstance(glob, Here) else None
                if step and step not in seen:
                    found |= self.lookup(glob.module, name, seen | {step})
        if not found and name.endswith("!"):
            return {(file, bare) for file in self.macros.get(name, ())}
        return found

    def ties(self):
        """For each pair of files, the names that the first uses from the second."""
        ties = {}
        known = {"crate", "self", "super", self.name, *self.macros}
        for module in self.modules:
            known.update(module.items, module.imports, self.children[id(module)])
        for module in self.modules:
            for path in module.paths:
                # Most names are keywords, or belong to other crates or to the functions themselves.
                if path[0].rstrip("!") not in known and path[0] not in known:
                    continue
                for found in self.resolve(module, path):
                    if isinstance(found, tuple) and found[0] != module.file:
                        ties.setdefault((module.file, found[0]), set()).add(found[1])
        return ties


class Here:
    """A module as the result of a path."""

    def __init__(self, module):
        self.module = module

    def __eq__(self, other):
        return isinstance(other, Here) and other.module is self.module

    def __hash__(self):
        return id(self.module)
