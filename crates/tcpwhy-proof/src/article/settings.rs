//! Differences between two scenarios.

use tcpwhy_scenario::Scenario;

/// A key of the scenario's file whose values differ: `sender.sndbuf`, with the value of each; `None` where it
/// is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) values: [Option<String>; 2],
}

/// Keys that do not affect a transfer.
const TOLD: [&str; 3] = ["name", "story", "expect"];

/// Keys whose values differ, in the order of their names.
pub(super) fn differences(before: &Scenario, after: &Scenario) -> Vec<Setting> {
    let [before, after] = [before, after].map(|scenario| {
        let text = scenario.to_toml().unwrap_or_default();
        let mut all = Vec::new();
        if let Ok(table) = text.parse::<toml::Table>() {
            for (key, value) in table.iter().filter(|(key, _)| !TOLD.contains(&key.as_str())) {
                flatten(key, value, &mut all);
            }
        }
        all
    });
    let mut keys: Vec<&String> = before.iter().chain(&after).map(|(key, _)| key).collect();
    keys.sort();
    keys.dedup();
    let value =
        |all: &[(String, String)], key: &str| all.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone());
    let setting = |key: &String| Setting { key: key.clone(), values: [value(&before, key), value(&after, key)] };
    keys.into_iter().map(setting).filter(|setting| setting.values[0] != setting.values[1]).collect()
}

fn flatten(key: &str, value: &toml::Value, all: &mut Vec<(String, String)>) {
    match value {
        toml::Value::Table(table) => {
            for (name, value) in table {
                flatten(&format!("{key}.{name}"), value, all);
            }
        }
        toml::Value::Array(values) if values.iter().any(toml::Value::is_table) => {
            for (index, value) in values.iter().enumerate() {
                flatten(&format!("{key}.{index}"), value, all);
            }
        }
        toml::Value::String(text) => all.push((key.to_owned(), text.clone())),
        other => all.push((key.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_scenario::bundled;

    use super::*;

    #[test]
    fn what_was_set_differs_and_what_is_told_does_not() {
        let [small, auto] = ["sndbuf-16k", "sndbuf-auto"].map(|name| bundled::get(name).unwrap());
        let found = differences(&small, &auto);
        let buffer = found.iter().find(|setting| setting.key == "sender.sndbuf").unwrap();
        assert!(buffer.values[0].is_some() && buffer.values[1].is_none(), "{found:?}");
        assert!(found.iter().all(|setting| !setting.key.starts_with("story")), "{found:?}");
        assert_eq!(differences(&small, &small), []);
    }
}
