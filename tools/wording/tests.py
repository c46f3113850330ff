"""What each rule finds, and what it leaves alone: tools/words.py --self-test."""

import unittest
from collections import Counter

from . import baseline, check, rules, texts

LONG = "The sender waits for " + "one more " * 15 + "segment."


def found(path, source):
    return [(hit.rule.id, hit.line) for hit in check.hits(path, source)]


def ids(path, source):
    return {rule for rule, _ in found(path, source)}


class Planted(unittest.TestCase):
    """A fault in each kind of file is found, on its line."""

    def test_banned_phrase(self):
        self.assertEqual(found("docs/a.md", "# A\n\nSegments were sent\nagain.\n"), [("sent-again", 3)])
        self.assertEqual(found("crates/a/locales/en/a.ftl", "a = one\nb =\n    two\n    { $n } ms and more\n"), [("and-more", 4)])
        self.assertEqual(found("crates/a/src/a.rs", "fn a() {}\n/// It is told\n/// here.\n"), [("tell", 2)])
        self.assertEqual(found("viewer/src/a.ts", "const a = 1;\n/** Of all rows, one. */\n"), [("of-start", 2)])
        self.assertEqual(found("tools/a.py", '"""Reckons\n\nall."""\nx = 1  # in vain\n'), [("reckon", 1), ("in-vain", 4)])
        self.assertEqual(found("scripts/a", "#!/usr/bin/env bash\n# Ten times a second.\n"), [("per", 2)])
        self.assertEqual(found("crates/a/a.c", "int a; /* meanwhile */\n"), [("meanwhile", 1)])

    def test_each_pattern(self):
        for rule, sentence in {
            "what-subject": "What was seen is shown.",
            "what-there-is": "The data or what there is.",
            "stand": "The number stands in the table.",
            "come-to": "It comes to 5 MB.",
            "held-against": "They are held against the truth.",
            "look": "It waits between two looks.",
            "lie": "The file lies there, unread.",
            "be-of": "This packet is of another connection.",
            "meant": "If the pace is meant, nothing is wrong.",
            "closed-window": "The receiver closed its window.",
            "fraction": "It took a tenth of a second.",
            "vague-fix": "Find out what the program does.",
        }.items():
            self.assertIn(rule, ids("docs/a.md", sentence), sentence)

    def test_long_sentence(self):
        self.assertEqual(found("docs/a.md", f"Short.\n\n{LONG}\n"), [("sentence", 3)])
        self.assertEqual(ids("docs/a.md", "The sender waits for " + "more " * 22 + "data."), {"long"})
        choice = "a =\n    " + "word " * 20 + "{ $n ->\n        [one] x\n       *[other] " + "many " * 12 + "\n    } end\n"
        self.assertEqual(found("crates/a/locales/en/a.ftl", choice), [("sentence", 2)])
        line = "      tcpwhy explain --top 5 FILE        explain five of them meanwhile\n"
        self.assertEqual(found("crates/a/locales/en/a.ftl", "a =\n    Examples:\n" + line * 9)[0], ("meanwhile", 3))
        self.assertNotIn("sentence", str(found("crates/a/locales/en/a.ftl", "a =\n    Examples:\n" + line * 9)))

    def test_long_line_of_comment(self):
        source = "fn a() {}\n" + "// " + "x" * 108 + "\n"
        self.assertEqual(found("crates/a/src/a.rs", source), [("columns", 2)])

    def test_text_in_code(self):
        source = 'fn a() {\n    // Why.\n\n    bail!(\n        "no such file {name}"\n    );\n}\n'
        self.assertEqual(found("crates/tcpwhy/src/a.rs", source), [("text-in-code", 5)])
        self.assertEqual(ids("crates/tcpwhy/src/a.rs", 'x.with_context(|| format!("the file {name}"))?'), {"text-in-code"})

    def test_chinese(self):
        self.assertEqual(found("crates/a/src/a.rs", 'fn a() {}\nconst A: &str = "窗口";\n'), [("chinese-outside", 2)])
        self.assertEqual(found("docs/a.md", "See 窗口.\n"), [("chinese-outside", 1)])
        self.assertEqual(found("docs/a.zh-CN.md", "在您的机器上。\n"), [("zh-you", 1)])
        self.assertEqual(found("crates/a/locales/zh-CN/a.ftl", "a = 往返延迟\n"), [("zh-term", 1)])


class LeftAlone(unittest.TestCase):
    """Code, addresses, quotations, ids, the words of tests."""

    def test_no_text(self):
        for path, source in [
            ("docs/a.md", "`is told` and https://example.org/told/again and [this](told.md)\n"),
            ("docs/a.md", "```\nit is told\n```\n"),
            ("docs/a.md", 'Linux calls it "sent again", and “in vain”.\n'),
            ("docs/a.md", "| a | b |\n|---|---|\n" + "| one two three four five six seven | eight nine ten |\n" * 4),
            ("docs/a.md", "<!-- written by tcpwhy -->\nIt is told.\n"),
            ("crates/a/src/a.rs", 'const A: &str = "it is told"; let told = \'"\'; // plain\n'),
            ("crates/a/src/a.rs", 'const A: &str = r#"// it is told"#;\n'),
            ("crates/a/src/a.rs", "// https://example.org/" + "x" * 120 + "\n"),
            ("crates/a/locales/en/a.ftl", "record-told = plain { $told }\n"),
            ("crates/tcpwhy/src/a.rs", 'bail!(catalogue.text("record-is-none", &args)); println!("{name}: {error:#}")\n'),
            ("crates/tcpwhy/src/a.rs", '#[cfg(test)]\nmod tests {\n    fn a() { println!("some text"); "窗口" }\n}\n'),
            ("crates/a/tests/a.rs", 'const A: &str = "窗口";\n'),
            ("README.md", "中文说明：[README.zh-CN.md](README.zh-CN.md)\n"),
        ]:
            self.assertEqual(found(path, source), [], source)

    def test_questions_and_headings(self):
        for sentence in [
            "What was seen?",
            "What the kernel shows",
            "Of course not.",
            "Two seconds, a second try.",
            "The line on which losses lie.",
        ]:
            self.assertEqual(found("docs/a.md", sentence), [], sentence)

    def test_sentences(self):
        piece = texts.Piece.of("en", [(1, "One, e.g. Linux, is. `Two` is. tcpwhy three.")])
        self.assertEqual(len(list(texts.sentences(piece))), 3)


class Baseline(unittest.TestCase):
    ALLOWED = Counter({("a", "tell"): 3, ("b", "tell"): 1})

    def compare(self, found, files):
        return baseline.compare(self.ALLOWED, Counter(found), files)

    def test_more_fails_and_fewer_shrinks(self):
        excess, now = self.compare({("a", "tell"): 4, ("b", "tell"): 1}, {"a", "b"})
        self.assertEqual((excess, now), (Counter({("a", "tell"): 1}), self.ALLOWED))
        excess, now = self.compare({("a", "tell"): 1}, {"a", "b"})
        self.assertEqual((excess, now), (Counter(), Counter({("a", "tell"): 1})))

    def test_renamed_and_split(self):
        excess, now = self.compare({("c", "tell"): 2, ("d", "tell"): 2, ("b", "tell"): 1}, {"b", "c", "d"})
        self.assertEqual(excess, Counter({("d", "tell"): 1}))
        self.assertEqual(sum(now.values()), 4)

    def test_move(self):
        found = Counter({("a", "tell"): 1, ("b", "tell"): 5})
        moved = baseline.move(self.ALLOWED, found, "a", "b")
        self.assertEqual(moved, Counter({("a", "tell"): 1, ("b", "tell"): 3}))

    def test_ids_are_single_words(self):
        self.assertTrue(all(" " not in rule.id for rule in rules.ALL))


if __name__ == "__main__":
    unittest.main()
