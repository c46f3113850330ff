//! Checks that a finding has a sentence. The catalogues are in the crate that presents findings; the evidence
//! comes from the fixtures of rules and checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use tcpwhy_model::Finding;

/// Variables of each message of the English catalogue, by its id. All languages have the same ones (tested
/// there).
fn messages() -> &'static BTreeMap<String, BTreeSet<String>> {
    static MESSAGES: OnceLock<BTreeMap<String, BTreeSet<String>>> = OnceLock::new();
    MESSAGES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcpwhy-report/locales/en");
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let source = std::fs::read_to_string(entry.path()).unwrap_or_default();
            let mut id = String::new();
            for line in source.lines().filter(|line| !line.starts_with('#')) {
                if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    line.split([' ', '=']).next().unwrap_or_default().clone_into(&mut id);
                }
                let names = line.split('$').skip(1);
                let names = names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
                all.entry(id.clone()).or_default().extend(names);
            }
        }
        assert!(all.len() > 1_000, "the catalogues are in the workspace");
        all
    })
}

/// Compares the evidence of `finding` with its rule's sentences.
///
/// # Panics
///
/// Panics if the evidence fits none of them: people would see the rule's title twice.
#[track_caller]
pub fn has_sentence(finding: &Finding) {
    let mut known: BTreeSet<&str> = finding.evidence.iter().map(|evidence| evidence.key.id()).collect();
    known.insert("total");
    known.extend(finding.seconds.iter().flat_map(|_| ["seconds", "share"]));
    let prefix = format!("rule-{}-sentence", finding.rule);
    let is_filled = |variables: &BTreeSet<String>| variables.iter().all(|name| known.contains(name.as_str()));
    let mut sentences = messages().range(prefix.clone()..).take_while(|(id, _)| id.starts_with(&prefix));
    assert!(sentences.any(|(_, variables)| is_filled(variables)), "no sentence for {finding:?}");
}
