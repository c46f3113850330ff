//! Names of the files of an article.

use tcpwhy_report::Language;

use crate::named;

/// Stems of the files of both runs.
pub(super) const SIDES: [&str; 2] = ["before", "after"];

/// Names of all files of an article.
pub(super) fn names() -> impl Iterator<Item = String> {
    let pages = Language::ALL.into_iter().map(page_name);
    let pictures = Language::ALL.into_iter().flat_map(|language| SIDES.map(|side| picture_name(side, language)));
    pages.chain(pictures).chain(SIDES.map(scenario_name))
}

pub(super) fn page_name(language: Language) -> String {
    named("index", language, "html")
}

pub(super) fn picture_name(side: &str, language: Language) -> String {
    named(side, language, "svg")
}

pub(super) fn scenario_name(side: &str) -> String {
    format!("{side}.toml")
}
