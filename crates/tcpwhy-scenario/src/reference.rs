//! Documentation of scenario files, from the code that reads them: a JSON schema for editors, a reference for
//! people.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The schema of a scenario's file as indented JSON. It is generated from [`Scenario`](super::Scenario) and
/// committed, so that the program does not contain the generator.
pub const SCHEMA: &str = include_str!("schema.json");

/// A phrase of the reference: its id in the message catalogues, and the values to fill in.
#[derive(Clone, Debug)]
pub struct Phrase<'a> {
    /// Id, `scenario-…`.
    pub id: String,
    /// Values by name.
    pub values: Vec<(&'static str, String)>,
    /// English text of the schema, if the schema has one.
    pub english: Option<Cow<'a, str>>,
}

/// Every key with its type, default, range and meaning, as Markdown. `words` translates each phrase to the
/// reader's language.
pub fn reference(words: &dyn Fn(&Phrase<'_>) -> String) -> String {
    // Invariant: the schema is valid JSON (tested).
    let schema = serde_json::from_str(SCHEMA).unwrap_or_default();
    let mut pages = Pages { root: &schema, words, seen: BTreeMap::new(), text: String::new() };
    pages.table("", "Scenario", &schema);
    pages.text
}

/// Template of a new file: every required key, and the usual ones.
pub const NEW: &str = include_str!("new.toml");

struct Pages<'a> {
    root: &'a Value,
    words: &'a dyn Fn(&Phrase<'_>) -> String,
    /// Types that already have their table, and its path.
    seen: BTreeMap<String, String>,
    text: String,
}

impl<'a> Pages<'a> {
    /// The keys of the table `path` of type `name`, then the tables within it.
    fn table(&mut self, path: &str, name: &str, of: &'a Value) {
        let properties = properties(of);
        let heading = if path.is_empty() { self.word("top") } else { format!("`[{path}]`") };
        let about = self.described(&format!("type-{name}"), of);
        let _ = write!(self.text, "\n## {heading}\n\n{about}{}", if about.is_empty() { "" } else { "\n\n" });
        let head = ["key", "takes", "default", "range", "meaning"]
            .map(|word| self.word(&format!("column-{word}")))
            .join(" | ");
        let _ = write!(self.text, "| {head} |\n|---|---|---|---|---|\n");
        let required: Vec<&str> =
            of.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut within = Vec::new();
        for (key, value) in properties {
            let inner = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let (mut kind, target) = self.kind(value, &inner);
            let default = match value.get("default") {
                Some(Value::Object(_) | Value::Null) | None if required.contains(&key) => self.word("needed"),
                Some(Value::Object(_) | Value::Null) | None => String::new(),
                Some(default) => format!("`{default}`"),
            };
            let range = value
                .get("x-range")
                .and_then(Value::as_str)
                .map(|range| self.of_schema(&format!("range-{name}-{key}"), range))
                .unwrap_or_default();
            let what = self.described(&format!("key-{name}-{key}"), value);
            let inner_name = reference_of(value).unwrap_or(key);
            let of_type = |target| self.described(&format!("type-{inner_name}"), target);
            let what = if what.is_empty() { target.map(of_type).unwrap_or_default() } else { what };
            if let Some(target) = target {
                // Each type has one table; others of the same type refer to it.
                if let Some(first) = reference_of(value).and_then(|name| self.seen.get(name)) {
                    kind = self.say("as-another", vec![("kind", kind), ("table", format!("`[{first}]`"))]);
                } else {
                    self.seen.extend(reference_of(value).map(|name| (name.to_owned(), inner.clone())));
                    within.push((inner, inner_name, target));
                }
            }
            let _ = writeln!(self.text, "| `{key}` | {kind} | {default} | {range} | {what} |");
        }
        for (inner, name, target) in within {
            self.table(&inner, name, target);
        }
    }

    /// The type of a key's value, and its table if it is one.
    fn kind(&self, value: &'a Value, path: &str) -> (String, Option<&'a Value>) {
        if let Some(items) = value.get("items") {
            let (kind, table) = self.kind(items, path);
            return (self.say("array", vec![("kind", kind)]), table);
        }
        let target = self.resolved(value);
        if let Some(unit) = target.get("x-unit").and_then(Value::as_str) {
            return (self.of_schema(&format!("unit-{}", unit.replace(' ', "-")), unit), None);
        }
        if target.get("properties").is_some() || !choices(target).is_empty() {
            return (self.say("table", vec![("table", format!("`[{path}]`"))]), Some(target));
        }
        let words = target.get("enum").or_else(|| target.get("oneOf")).and_then(Value::as_array);
        if let Some(words) = words {
            let word = |word: &Value| word.get("const").unwrap_or(word).to_string();
            return (words.iter().map(word).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "), None);
        }
        if target.get("additionalProperties").is_some_and(Value::is_object) {
            return (self.word("table-of-strings"), None);
        }
        let types: Vec<&str> = match target.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).filter(|t| *t != "null").collect(),
            _ => vec![],
        };
        (
            types
                .into_iter()
                .map(|name| self.word(&format!("type-of-value-{name}")))
                .collect::<Vec<_>>()
                .join(&self.word("or")),
            None,
        )
    }

    fn word(&self, id: &str) -> String {
        self.say(id, Vec::new())
    }

    fn say(&self, id: &str, values: Vec<(&'static str, String)>) -> String {
        (self.words)(&Phrase { id: format!("scenario-{id}"), values, english: None })
    }

    /// The English text of the schema.
    fn of_schema(&self, id: &str, english: &str) -> String {
        let id = format!("scenario-{id}").replace('_', "-").to_lowercase();
        (self.words)(&Phrase { id, values: Vec::new(), english: Some(english.into()) })
    }

    /// The description of a key in one line of a table.
    fn described(&self, id: &str, value: &Value) -> String {
        let text = value.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() { text } else { self.of_schema(id, &text).replace('|', "\\|") }
    }

    fn resolved(&self, value: &'a Value) -> &'a Value {
        resolved(self.root, value)
    }
}

/// The schema that a reference in `root` leads to; for an option, that of its value.
pub(crate) fn resolved<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    match reference_of(value) {
        Some(name) => root.get("$defs").and_then(|defs| defs.get(name)).unwrap_or(value),
        None => value,
    }
}

/// The keys of a table, or of alternatives of which a file gives one.
pub(crate) fn properties(of: &Value) -> Vec<(&str, &Value)> {
    match of.get("properties").and_then(Value::as_object) {
        Some(properties) => properties.iter().map(|(key, value)| (key.as_str(), value)).collect(),
        None => choices(of),
    }
}

/// The name of the type that a schema refers to, also as an option or as the elements of an array.
fn reference_of(value: &Value) -> Option<&str> {
    let own = |value: &Value| {
        value.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/").map(str::len))
    };
    if own(value).is_some() {
        return value.get("$ref")?.as_str()?.strip_prefix("#/$defs/");
    }
    let of_option = value.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    of_option.chain(value.get("items")).find_map(|inner| inner.get("$ref")?.as_str()?.strip_prefix("#/$defs/"))
}

/// Alternative tables of which a file gives one, by their keys.
fn choices(of: &Value) -> Vec<(&str, &Value)> {
    let alternatives = of.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    alternatives.filter_map(|one| one.get("properties")?.as_object().and_then(only)).collect()
}

fn only(properties: &Map<String, Value>) -> Option<(&str, &Value)> {
    properties.iter().next().map(|(key, value)| (key.as_str(), value))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use expect_test::expect_file;
    use tcpwhy_report::{Args, Catalogue, Language};

    use super::*;
    use crate::{Scenario, bundled};

    /// `UPDATE_EXPECT=1` writes the file again.
    #[test]
    fn the_schema_is_that_of_the_type() {
        let made = serde_json::to_string_pretty(&schemars::schema_for!(Scenario)).unwrap() + "\n";
        expect_file!["schema.json"].assert_eq(&made);
    }

    fn in_english() -> String {
        let catalogue = Catalogue::new(Language::English);
        reference(&|phrase| {
            let args = phrase.values.iter().fold(Args::new(), |args, (name, value)| args.text(*name, value));
            catalogue.text(&phrase.id, &args)
        })
    }

    /// The catalogue has the same English text as the schema, and it has no phrase that is unused.
    #[test]
    fn the_catalogue_and_the_schema_say_the_same() {
        let catalogue = Catalogue::new(Language::English);
        let said = RefCell::new(BTreeSet::new());
        reference(&|phrase| {
            said.borrow_mut().insert(phrase.id.clone());
            if let Some(english) = &phrase.english {
                assert_eq!(&catalogue.word(&phrase.id), english, "{}", phrase.id);
            }
            String::new()
        });
        let said = said.into_inner();
        let stale: Vec<_> =
            catalogue.templates(|id| id.starts_with("scenario-")).into_keys().filter(|id| !said.contains(id)).collect();
        assert!(stale.is_empty() && said.len() > 100, "nothing says these any more: {stale:#?}");
    }

    #[test]
    fn every_key_is_there() {
        let text = in_english();
        for key in
            ["rtt", "queue", "lose_syns", "jitter_reorders", "sender_asks", "ready", "initcwnd", "verdict_at_receiver"]
        {
            assert!(text.contains(&format!("| `{key}` |")), "{key} in {text}");
        }
        for words in ["`[link.forward]`", "8kbit to 100gbit", "`\"cubic\"`", "`[work.stream]`", "needed"] {
            assert!(text.contains(words), "{words} in {text}");
        }
    }

    /// Every key of a bundled file is in the schema.
    #[test]
    fn bundled_files_have_only_known_keys() {
        use std::collections::BTreeSet;
        fn keys(table: &toml::Table, into: &mut BTreeSet<String>) {
            for (key, value) in table {
                into.insert(key.clone());
                match value {
                    toml::Value::Table(inner) if key != "sysctl" => keys(inner, into),
                    toml::Value::Array(all) => all.iter().filter_map(toml::Value::as_table).for_each(|t| keys(t, into)),
                    _ => {}
                }
            }
        }
        let mut all = BTreeSet::new();
        for name in bundled::names() {
            keys(&bundled::text(name).unwrap().parse().unwrap(), &mut all);
        }
        for key in all {
            assert!(SCHEMA.contains(&format!("\"{key}\":")), "{key}");
        }
    }

    #[test]
    fn a_new_file_is_a_scenario() {
        let scenario = Scenario::from_toml("new", NEW).unwrap();
        assert_eq!(scenario.expect.verdict, []);
    }
}
