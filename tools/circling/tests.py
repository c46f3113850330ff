"""Dependencies found between the files of a small crate: tools/circles.py --self-test."""

import tempfile
import unittest
from pathlib import Path

from . import crate, graph, source


class Ties(unittest.TestCase):
    def ties(self, **files):
        """Dependencies of a crate whose files are given by name. Two underscores in a name mean a slash."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, "src", name.replace("__", "/") + ".rs")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            root = Path(folder, "src")
            found = crate.Crate(folder).ties()
            self.circles = [[str(Path(file).relative_to(root))[:-3] for file in group] for group in graph.circles(found)]
            return {
                f"{Path(first).relative_to(root)} -> {Path(second).relative_to(root)}".replace(".rs", ""): sorted(names)
                for (first, second), names in found.items()
            }

    def test_circle(self):
        self.ties(lib="mod a;\nmod b;\nmod c;", a="use crate::b::B;\npub struct A;", b="use crate::c::C;\npub struct B;", c="use super::a::A;\npub enum C {}")
        self.assertEqual(self.circles, [["a", "b", "c"]])
        self.ties(lib="mod a;\nmod b;", a="use crate::b::B;", b="pub struct B;")
        self.assertEqual(self.circles, [])

    def test_module_file(self):
        declares = "mod child;\npub use child::Child;\n"
        child = "use super::Parent;\npub struct Child(Parent);"
        self.ties(lib="mod parent;", parent__mod=declares + "mod two;\nuse two::Parent;", parent__child=child, parent__two="pub struct Parent;")
        self.assertEqual(self.circles, [])
        self.ties(lib="mod parent;", parent__mod=declares + "pub struct Parent;", parent__child=child)
        self.assertEqual(self.circles, [])
        self.ties(lib="mod parent;", parent=declares + "pub struct Parent;\nfn f() -> Child {}", parent__child=child)
        self.assertEqual(self.circles, [["parent", "parent/child"]])

    def test_paths(self):
        files = {"lib": "mod a;\nmod b;", "b": "pub const N: u8 = 1;\npub mod inner {\n    pub fn f() {}\n}\npub enum E { V }"}
        for use, names in {
            "use super::b::{self, E as F};": ["E"],
            "use crate::b::{N, inner::{f}};": ["N", "f"],
            "use crate::b::E::*;": ["E"],
            "use crate::b;\nfn g() { b::inner::f(); }": ["f"],
            "use crate::b::*;\nfn g() -> E { E::V }": ["E"],
            "fn g() { super::b::inner::f::<u8>(); }": ["f"],
            "fn g() { let x = [0..crate::b::N]; }": ["N"],
            "#[serde(default = \"crate::b::inner::f\")]\nstruct S;": ["f"],
            "mod m {\n    use super::super::b::E;\n}": ["E"],
            "impl From<crate::b::E> for u8 {}": ["E"],
        }.items():
            self.assertEqual(self.ties(a=use, **files), {"a -> b": names}, use)

    def test_no_ties(self):
        files = {"lib": "mod a;\nmod b;", "b": "pub fn f() {}\npub struct S;\nimpl S { pub fn g() {} }"}
        for text in (
            "// crate::b::S\n/* crate::b::S */ const X: &str = \"crate::b::S\";",
            "use super::b::*;\nfn h(x: &'f u8) { x.f(); x.g(); x\n.f(); }",
            "use std::b::S;\nfn f(c: char) { f('{', b'}', '\\''); S::new(); }",
            "pub use crate::b::S;",
            "use crate::b;",
            "mod f;\npub use super::b::f;",
            "#[cfg(test)]\nuse crate::b::S;\n#[cfg(test)]\nmod tests {\n    use super::super::b::S;\n}\nfn g() {}",
            "#[test]\nfn g() {\n    crate::b::f();\n}\nstruct T {\n    #[cfg(all(unix, test))]\n    x: crate::b::S,\n}",
        ):
            self.assertEqual(self.ties(a=text, **files), {}, text)

    def test_re_exports(self):
        lib = "mod a;\nmod b;\nmod c;\npub use b::B as Shown;\npub use c::*;"
        found = self.ties(lib=lib, a="use crate::{C, Shown};", b="pub struct B;", c="pub struct C;")
        self.assertEqual(found, {"a -> b": ["B"], "a -> c": ["C"]})

    def test_module_tree(self):
        lib = '#[cfg(unix)]\nmod a;\n#[cfg(not(unix))]\n#[path = "elsewhere.rs"]\nmod a;\nmod b;\n#[cfg(test)]\nmod tests;'
        files = {"a": "pub fn f() {}", "elsewhere": "pub fn f() {}", "tests": "use crate::b;", "b__mod": "mod c;", "b__c": "use crate::a::f;"}
        self.assertEqual(self.ties(lib=lib, **files), {"b/c -> a": ["f"], "b/c -> elsewhere": ["f"]})

    def test_macros(self):
        table = "macro_rules! row {\n    ($x:expr) => { $crate::b::f($x) };\n}\npub(crate) use row;\nid! {\n    pub struct Made;\n}"
        files = {"lib": "mod m;\nmod a;\nmod b;", "b": "pub fn f() {}"}
        self.assertEqual(self.ties(m=table, a="fn g() { row!(1); }", **files), {"m -> b": ["f"], "a -> m": ["row"]})
        self.assertEqual(self.ties(m=table, a="use crate::m::Made;", **files)["a -> m"], ["Made"])

    def test_own_functions(self):
        files = {"lib": "mod a;\nmod b;", "b": "pub struct S<T = u8>(T);\npub trait T {}"}
        for text, names in {
            "use super::b::S;\nimpl S {\n    fn g(&self) {}\n}": [],
            "use super::b::S;\nimpl<'a, X: Into<u8>> S<X> {\n    fn g(&self) {}\n}": [],
            "use super::b::{S, T};\nimpl S {\n    fn g(&self) { self.t(); }\n}": ["T"],
            "use super::b::S;\nimpl S {\n    fn g() -> S {}\n}": ["S"],
            "use super::b::S;\nimpl Clone for S {}": ["S"],
        }.items():
            self.assertEqual(self.ties(a=text, **files), {"a -> b": names} if names else {}, text)

    def test_tree(self):
        found = list(source.tree("a::{self, b::{C, d as e}, f::*}, g as _"))
        expected = [("a", "a"), ("a b C", "C"), ("a b d", "e"), ("a f", None), ("g", "_")]
        self.assertEqual(found, [(tuple(path.split()), name) for path, name in expected])
