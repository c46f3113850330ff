//! Tests that the catalogues are complete. Every language has the same messages with the same variables, and
//! every id that the domain types can produce exists.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;
use tcpwhy_audit::{CounterLine, LockGround, Reach, SettingLine, checks};
use tcpwhy_model::host::Gap;
use tcpwhy_model::{EvidenceKey, Limit, Reason};
use tcpwhy_report::{Catalogue, Language, Wording};

/// The variables of every message, by id.
type Messages = BTreeMap<String, BTreeSet<String>>;

fn messages(tag: &str) -> Messages {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales").join(tag);
    let mut all = Messages::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        let resource = parser::parse(source.as_str()).unwrap_or_else(|(_, e)| panic!("{}: {e:?}", path.display()));
        for entry in &resource.body {
            let Entry::Message(message) = entry else { continue };
            let mut variables = BTreeSet::new();
            if let Some(pattern) = &message.value {
                collect(pattern, &mut variables);
            }
            let id = message.id.name.to_owned();
            assert!(all.insert(id.clone(), variables).is_none(), "{tag}: {id} is defined twice");
        }
    }
    all
}

fn collect(pattern: &Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(inline) => collect_inline(inline, variables),
            Expression::Select { selector, variants } => {
                collect_inline(selector, variables);
                assert!(variants.iter().any(|v| v.default));
                for variant in variants {
                    collect(&variant.value, variables);
                }
            }
        }
    }
}

fn collect_inline(inline: &InlineExpression<&str>, variables: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            variables.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => match expression.as_ref() {
            Expression::Inline(inline) => collect_inline(inline, variables),
            Expression::Select { .. } => panic!("nested selections are not used"),
        },
        // Each message is parsed on its own.
        InlineExpression::MessageReference { id, .. } | InlineExpression::TermReference { id, .. } => {
            panic!("refers to {}", id.name)
        }
        _ => {}
    }
}

#[test]
fn all_languages_have_the_same_messages_and_variables() {
    let english = messages("en");
    for language in Language::ALL {
        let other = messages(language.tag());
        // English replaces messages that an incomplete language lacks.
        let is_missing = |id: &&String| language.is_complete() && !other.contains_key(*id);
        let missing: Vec<_> = english.keys().filter(is_missing).collect();
        let extra: Vec<_> = other.keys().filter(|id| !english.contains_key(*id)).collect();
        assert!(missing.is_empty() && extra.is_empty(), "{}: missing {missing:?}, extra {extra:?}", language.tag());
        for (id, variables) in &other {
            assert_eq!(variables, &english[id], "{}: variables of {id}", language.tag());
        }
    }
}

#[test]
fn every_file_is_embedded() {
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        for id in messages(language.tag()).keys() {
            assert!(catalogue.has(id), "{}: {id} is in no embedded file", language.tag());
        }
    }
}

/// The settings of the host to which a line is copied are unknown. So each line that sets a number has a
/// remark for which values of the setting it is right. Names of algorithms have no order and need no remark.
#[test]
fn each_line_that_sets_a_number_says_when() {
    for (language, condition) in [(Language::English, "only if sysctl "), (Language::SimplifiedChinese, "仅当 sysctl ")]
    {
        let catalogue = Catalogue::new(language);
        let lines = tcpwhy_advice::testing::every_fix();
        let lines: Vec<_> = lines.iter().flat_map(|fix| Wording::new(&catalogue).fix_lines(fix, None)).collect();
        let sets_number = |line: &str| {
            let command = line.split('#').next().unwrap_or_default();
            command.starts_with("sysctl -w")
                && command.chars().rev().any(|c| c.is_ascii_digit())
                && !command.contains("qdisc")
        };
        let setting: Vec<_> = lines.iter().filter(|line| sets_number(line)).collect();
        assert!(setting.len() > 20, "{setting:?}");
        for line in setting {
            assert!(line.contains(condition), "{language:?}: {line}");
            // The remark has the limit below which the line is right, at most the number that the line sets.
            let Some((_, rest)) = line.split_once("_max=").or(line.split_once("mem='")) else { continue };
            let numbers = |text: &str| -> Vec<u64> {
                text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
            };
            let (set, remark) = rest.split_once('#').unwrap();
            let needed = *numbers(remark).last().expect("the number below which it is right");
            assert!(numbers(set).iter().any(|&number| number >= needed), "{language:?}: {line}");
        }
    }
}

/// Each message that a crate of the workspace creates has a sentence, and each sentence is used.
#[test]
fn every_error_has_its_sentence() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !crates.join("tcpwhy/src").exists() {
        return;
    }
    let all = messages("en");
    let (mut wanted, mut literals) = (BTreeSet::new(), BTreeSet::new());
    for folder in source_folders(&crates) {
        for path in sources(&folder) {
            // Git may have written line ends of Windows.
            let source = std::fs::read_to_string(&path).unwrap().replace('\r', "");
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for maker in ["Message::new(", "failure(", "FileKind::new("] {
                for rest in code.split(maker).skip(1) {
                    let id = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
                    let kind = if maker.starts_with("FileKind") { "kind-" } else { "" };
                    wanted.extend(id.map(|(id, _)| format!("error-{kind}{id}")).filter(|id| id != "error-"));
                }
            }
            literals.extend(string_literals(code));
        }
    }
    let missing: Vec<_> = wanted.iter().filter(|id| !all.contains_key(*id)).collect();
    assert!(missing.is_empty() && wanted.len() > 200, "no words for {missing:#?}");
    let is_said = |id: &str| wanted.contains(&format!("error-{id}")) || literals.contains(id);
    let stale: Vec<_> = all.keys().filter_map(|id| id.strip_prefix("error-")).filter(|id| !is_said(id)).collect();
    assert!(stale.is_empty(), "nothing says {stale:#?}");
}

/// Every word that a reader sees is in a catalogue.
#[test]
fn no_chinese_stands_in_the_code() {
    /// Exceptions: stories of scenarios in both languages, units that must not be separated from their
    /// numbers, and the name of a language in itself.
    const OTHERS: [&str; 5] = [
        "tcpwhy-scenario/src/random/titles.rs",
        "tcpwhy-scenario/src/random/mod.rs",
        "tcpwhy-proof/src/prove/base.rs",
        "tcpwhy-report/src/text/page.rs",
        "tcpwhy-proof/src/book/page.rs",
    ];
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let mut found = Vec::new();
    for folder in source_folders(&crates) {
        for path in sources(&folder) {
            let is_test = ["tests.rs", "testing.rs"].iter().chain(&OTHERS).any(|name| path.ends_with(name))
                || path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tcpwhy-testkit");
            let source = std::fs::read_to_string(&path).unwrap();
            // Tests are at the end of a file.
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//") && line.contains(is_han));
            found.extend(lines.filter(|_| !is_test).map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The program and Python's module print and fail by message id: their calls contain no sentence.
#[test]
fn no_sentence_stands_in_what_the_program_says() {
    const SAYING: [&str; 10] = [
        "bail!(",
        "Wrong::said(",
        ".context(",
        "message::say(",
        "message::line(",
        "eprintln!(",
        "println!(",
        "new_err(",
        "invalid_params(",
        "resource_not_found(",
    ];
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["tcpwhy/src", "tcpwhy-python/src"].map(|folder| crates.join(folder));
    if !folders.iter().all(|folder| folder.exists()) {
        return;
    }
    let is_sentence = |text: &str| {
        let is_word = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        text.split([' ', ',', ';', ':']).filter(is_word).count() > 2
    };
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| sources(folder)) {
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        for call in SAYING {
            for rest in code.split(call).skip(1) {
                let literal = rest.trim_start().strip_prefix("format!(").unwrap_or(rest.trim_start());
                let text = literal.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(text, _)| text);
                found.extend(text.filter(|text| is_sentence(text)).map(|text| format!("{}: {text}", path.display())));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Ids that are literals in the sources, as in `word("…")` and `text("…"`.
#[test]
fn every_id_in_the_code_has_words() {
    let catalogue = Catalogue::new(Language::English);
    let mut seen = 0;
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let source = std::fs::read_to_string(&path).unwrap();
        let production = source.split("#[cfg(test)]").next().unwrap_or_default();
        for literal in production.split('"').skip(1).step_by(2).filter(|l| looks_like_an_id(l)) {
            seen += 1;
            assert!(catalogue.has(literal), "{}: {literal}", path.display());
        }
    }
    assert!(seen > 40, "the test no longer finds the ids: {seen}");
}

/// Rules and notes of the kernel crate have words.
#[test]
fn every_rule_and_note_of_the_kernel_has_words() {
    let rules = tcpwhy_kernel::Rule::ALL.iter().map(|rule| format!("buffers-rule-{}", rule.id()));
    let notes = tcpwhy_kernel::Note::ALL.iter().map(|note| format!("buffers-note-{}", note.id()));
    let catalogue = Catalogue::new(Language::English);
    let missing: Vec<_> = rules.chain(notes).filter(|id| !catalogue.has(id)).collect();
    assert!(missing.is_empty(), "no words for {missing:?}");
}

/// Whether a literal belongs to a family of ids.
fn looks_like_an_id(literal: &str) -> bool {
    const FAMILIES: [&str; 20] = [
        "audit-",
        "buffers-",
        "fix-",
        "head-",
        "lab-",
        "moment-",
        "heading-",
        "unit-",
        "fact-",
        "number-",
        "column-",
        "table-",
        "failures-",
        "hint-",
        "finding-",
        "rule-",
        "capture-",
        "prediction-",
        "timeline-",
        "empty-",
    ];
    FAMILIES.iter().any(|f| literal.starts_with(f))
        && literal.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        && !literal.ends_with('-')
}

/// The source folder of each crate, except that of `tcpwhy-certainty`, which compiles the source of another
/// crate.
fn source_folders(crates: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    let of_crates = std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    of_crates.filter(|folder| !folder.ends_with("tcpwhy-certainty")).map(|folder| folder.join("src"))
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            found.push(path);
        }
    }
    found
}

/// Whether only tests compile the file.
fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| ["terms", "tests", "testing", "tidy"].iter().any(|test| stem == *test))
}

#[test]
fn every_rule_and_fix_has_all_its_texts() {
    let ids = messages("en");
    for id in ids.keys() {
        let family = |prefix: &str| id.strip_prefix(prefix).map(|rest| rest.rsplit_once('-').map_or(rest, |(r, _)| r));
        if let Some(rule) = family("rule-").filter(|_| id.ends_with("-title")) {
            for part in ["sentence", "doc"] {
                assert!(ids.contains_key(&format!("rule-{rule}-{part}")), "rule-{rule}-{part}");
            }
        }
        if let Some(fix) = family("fix-").filter(|_| id.ends_with("-short")) {
            assert!(ids.contains_key(&format!("fix-{fix}")), "fix-{fix}");
        }
    }
}

/// Everything that the audit of a host names: settings, counters, paths, gaps, grounds.
#[test]
fn every_id_of_a_host_has_words() {
    let settings = SettingLine::ALL.iter().map(|s| {
        let name = s.name();
        format!("setting-{}", name.rsplit('.').next().unwrap_or(name).replace('_', "-"))
    });
    let counters = CounterLine::names().map(|name| format!("counter-{name}"));
    let paths = Reach::ALL.map(|r| format!("audit-path-reach-{}", r.id()));
    let gaps = Gap::ALL.iter().flat_map(|g| [format!("audit-gap-{}", g.id()), format!("audit-part-{}", g.id())]);
    let grounds = LockGround::ALL.map(|g| format!("ground-{}", g.id()));
    let checks = checks().flat_map(|c| ["title", "sentence", "doc"].map(|part| format!("rule-{}-{part}", c.id)));
    let catalogue = Catalogue::new(Language::English);
    let wanted = settings.chain(counters).chain(paths).chain(gaps).chain(grounds).chain(checks);
    let missing: Vec<_> = wanted.filter(|id| !catalogue.has(id)).collect();
    assert!(missing.is_empty(), "no words for {missing:?}");
}

/// Ids of the analysis crate: rules, fixes, ceilings, reasons and evidence.
#[test]
fn every_id_of_the_diagnosis_has_words() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let audit = crates.join("tcpwhy-audit/src");
    if !audit.exists() {
        return; // A packaged crate has no other crates next to it.
    }
    let catalogue = Catalogue::new(Language::English);
    let mut missing = BTreeSet::new();
    let of_hosts = sources(&audit).into_iter().filter(|path| {
        // These have ids of their own, with a separate test.
        !["buffers.rs", "lock_ground.rs", "paths.rs"]
            .iter()
            .any(|name| path.strip_prefix(&audit).is_ok_and(|file| file == Path::new(name)))
    });
    let rules = sources(&crates.join("tcpwhy-analysis/src/diagnosis"));
    let fixes = sources(&crates.join("tcpwhy-advice/src"));
    for path in rules.into_iter().chain(fixes).chain(of_hosts) {
        let source = std::fs::read_to_string(&path).unwrap();
        for literal in string_literals(source.split("#[cfg(test)]").next().unwrap_or_default()) {
            let is_ceiling = source.contains(&format!("ceiling: \"{literal}\""));
            let ids: Vec<String> = if is_ceiling {
                vec![format!("ceiling-{literal}")]
            } else if is_made_of(&literal, '-') {
                ["rule-{}-title", "fix-{}", "ceiling-{}", "reason-{}", "remark-{}"]
                    .map(|t| t.replace("{}", &literal))
                    .into()
            } else {
                continue;
            };
            if !ids.iter().any(|id| catalogue.has(id)) {
                missing.insert(literal);
            }
        }
    }
    assert!(missing.is_empty(), "no words for {missing:?}");
}

/// Each remark of a fix in the sources has words, and all words for remarks are used.
#[test]
fn every_remark_has_words_and_is_given() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["tcpwhy-advice/src", "tcpwhy-audit/src"].map(|folder| crates.join(folder));
    if !folders.iter().all(|folder| folder.exists()) {
        return;
    }
    let all = messages("en");
    let mut given = BTreeSet::from(["delete".to_owned()]);
    for path in folders.iter().flat_map(|folder| sources(folder)) {
        let source = std::fs::read_to_string(&path).unwrap();
        let literals = string_literals(source.split("#[cfg(test)]").next().unwrap_or_default());
        let after_code = literals.windows(2).filter(|w| ["# ", "/ ", "* ", "- "].iter().any(|s| w[0].ends_with(s)));
        for id in after_code.map(|w| w[1].as_str()).filter(|id| is_made_of(id, '-')) {
            assert!(all.contains_key(&format!("remark-{id}")), "{}: {id}", path.display());
        }
        given.extend(literals);
    }
    let stale: Vec<_> =
        all.keys().filter_map(|id| id.strip_prefix("remark-")).filter(|id| !given.contains(*id)).collect();
    assert!(stale.is_empty(), "no line has {stale:?}");
}

/// Each reason of an interval has a sentence, each sentence is used, and its numbers have names. Only English
/// is read, because all languages have the same messages.
#[test]
fn every_reason_has_its_sentence() {
    let wanted: BTreeSet<String> = Reason::ALL.iter().map(|r| format!("why-{}", r.id().replace('_', "-"))).collect();
    let all = messages("en");
    let found: BTreeSet<String> = all.keys().filter(|id| id.starts_with("why-")).cloned().collect();
    assert_eq!(found, wanted);
    for (id, variables) in all.iter().filter(|(id, _)| id.starts_with("why-")) {
        assert!(variables.iter().all(|v| v == "length"), "{id} wants {variables:?}");
    }
}

/// Each piece of evidence has a name in each language, and each name is used.
#[test]
fn every_evidence_key_has_its_name() {
    let wanted: BTreeSet<String> =
        EvidenceKey::ALL.iter().map(|key| format!("evidence-{}", key.id().replace('_', "-"))).collect();
    for tag in ["en", "zh-CN"] {
        let found: BTreeSet<String> = messages(tag).into_keys().filter(|id| id.starts_with("evidence-")).collect();
        assert_eq!(found, wanted, "{tag}");
    }
}

/// Each evidence key is used by a rule, check or measure; otherwise its words would be useless.
#[test]
fn every_evidence_key_is_given() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["tcpwhy-model/src", "tcpwhy-analysis/src", "tcpwhy-audit/src", "tcpwhy-watch/src"];
    let folders = folders.map(|folder| crates.join(folder));
    if !folders.iter().all(|folder| folder.exists()) {
        return; // A packaged crate has no other crates next to it.
    }
    let mut given = BTreeSet::new();
    for path in folders.iter().flat_map(|folder| sources(folder)) {
        let source = std::fs::read_to_string(&path).unwrap();
        let product = source.split("#[cfg(test)]").next().unwrap_or_default();
        let names = product.split("EvidenceKey::").skip(1);
        given.extend(names.map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>()));
    }
    let stale: Vec<_> = EvidenceKey::ALL.iter().filter(|key| !given.contains(&format!("{key:?}"))).collect();
    assert!(stale.is_empty(), "nothing gives {stale:?}");
}

/// Each alternative that the classifier can give has a sentence with its reason.
#[test]
fn every_alternative_has_its_sentence() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcpwhy-analysis/src/infer");
    if !folder.exists() {
        return;
    }
    let mut wanted = BTreeSet::new();
    for path in sources(&folder) {
        let source = std::fs::read_to_string(&path).unwrap();
        for part in source.split(".or(Limit::").chain(source.split("alternative: Some((Limit::")).skip(1) {
            let name: String = part.chars().take_while(char::is_ascii_alphanumeric).collect();
            wanted.extend(Limit::ALL.into_iter().filter(|l| format!("{l:?}") == name));
        }
    }
    let ids: BTreeSet<_> = wanted.iter().map(|l| format!("alternative-{}", l.id().replace('_', "-"))).collect();
    let found: BTreeSet<_> = messages("en").into_keys().filter(|id| id.starts_with("alternative-")).collect();
    assert_eq!(found, ids);
}

/// Whether `literal` is two or more lower-case words joined by `joint`.
fn is_made_of(literal: &str, joint: char) -> bool {
    literal.contains(joint)
        && literal
            .split(joint)
            .all(|w| !w.is_empty() && w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
}

fn string_literals(source: &str) -> Vec<String> {
    source
        .lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .flat_map(|l| l.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// A rule's sentence uses only evidence of that rule; otherwise only its title would ever be shown.
#[test]
fn sentences_speak_of_evidence_that_their_rules_give() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let audit = crates.join("tcpwhy-audit/src");
    if !audit.exists() {
        return;
    }
    let all = messages("en");
    let checks = audit.join("checks");
    // Code that several files share.
    let shared =
        [checks.join("set_buffers.rs"), audit.join("evidence.rs")].map(|p| std::fs::read_to_string(p).unwrap());
    for path in sources(&crates.join("tcpwhy-analysis/src/diagnosis/rules")).into_iter().chain(sources(&checks)) {
        let rule = path.file_stem().unwrap().to_string_lossy().replace('_', "-");
        let of = |part: &str| all.get(&format!("rule-{rule}-{part}")).into_iter().flatten().cloned();
        let variables: BTreeSet<String> = of("sentence").chain(of("sentence-brief")).collect();
        let source = std::fs::read_to_string(&path).unwrap();
        let mut given: BTreeSet<String> = string_literals(&source).into_iter().collect();
        given.extend(["seconds", "total", "share"].map(str::to_owned));
        if path.starts_with(&checks) {
            given.extend(shared.iter().flat_map(|source| string_literals(source)));
        }
        if source.contains("rtt_evidence") {
            given.insert("rtt_us".into());
        }
        let sources = || shared.iter().filter(|_| path.starts_with(&checks)).chain([&source]);
        let is_given = |key: &&EvidenceKey| sources().any(|source| source.contains(&format!("EvidenceKey::{key:?}")));
        given.extend(EvidenceKey::ALL.iter().filter(is_given).map(|key| key.id().to_owned()));
        let missing: Vec<_> = variables.iter().filter(|v| !given.contains(*v)).collect();
        assert!(missing.is_empty(), "{rule}: {missing:?} not among its evidence");
    }
}

/// Chinese punctuation is full-width, except inside code and numbers.
#[test]
fn chinese_text_has_chinese_punctuation() {
    let catalogue = Catalogue::new(Language::SimplifiedChinese);
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    for id in messages("zh-CN").keys() {
        let text: Vec<char> = catalogue.word(id).chars().collect();
        for pair in text.windows(2) {
            assert!(
                !(is_han(pair[0]) && matches!(pair[1], ',' | ';' | ':' | '!' | '?' | '.' | '(' | ')')),
                "{id}: {}",
                text.iter().collect::<String>()
            );
        }
    }
}

/// A headline shares its line with a place and a gain, a title with the rule and a confidence. Both begin
/// with a capital letter and have no final full stop.
#[test]
fn headlines_and_titles_are_short() {
    /// Leaves 40 of the 100 columns of prose for a place and a gain.
    const LONGEST: usize = 60;
    let catalogue = Catalogue::new(Language::English);
    let is_headline = |id: &String| {
        let is_name = id.ends_with("-short") || id.ends_with("-brief");
        id.starts_with("fix-") && is_name || id.starts_with("rule-") && id.ends_with("-title")
    };
    let headlines: Vec<_> = messages("en").into_keys().filter(is_headline).collect();
    assert!(headlines.len() > 100, "{}", headlines.len());
    for id in headlines {
        let text = catalogue.word(&id);
        // Names of settings keep their case: tcp_rmem.
        let begins = text.starts_with(char::is_uppercase) || text.contains('_');
        // A headline with a place has a brief form, which is limited here; `site/terms.rs` limits the others.
        let has_place = text.contains("{$");
        let is_short = has_place || text.chars().count() <= LONGEST;
        assert!(is_short && begins && !text.ends_with('.'), "{id}: {text}");
    }
}
