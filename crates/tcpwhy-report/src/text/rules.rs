//! `tcpwhy rules`: explanations of the rules.

use anstyle::Style;
use tcpwhy_model::{Limit, Severity};
use unicode_width::UnicodeWidthStr as _;

use super::Look;
use super::look::pad;
use super::page::Page;
use super::palette::{BOLD, DIM, severity};
use crate::{Args, Wording};

/// A rule, with the data that its texts need.
#[derive(Clone, Copy, Debug)]
pub struct RuleEntry<'a> {
    /// Stable kebab-case id.
    pub id: &'a str,
    /// Usual severity of its findings.
    pub severity: Severity,
    /// Limits that it explains.
    pub limits: &'a [Limit],
}

/// The list of all rules with their titles.
pub fn rule_list<'a>(wording: Wording<'_>, look: Look, rules: impl IntoIterator<Item = RuleEntry<'a>>) -> String {
    let rules: Vec<_> = rules.into_iter().collect();
    let mut page = Page::new(look);
    let id_width = rules.iter().map(|r| r.id.width()).max().unwrap_or_default();
    for rule in &rules {
        let id = pad(rule.id, id_width + 2);
        page.hanging((&id, BOLD), &wording.rule_title(rule.id), 0, Style::new());
    }
    page.gap();
    page.wrapped(&wording.catalogue().word("rules-hint"), 0, DIM);
    page.into_text()
}

/// The page about one rule: title, limits that it explains, meaning, detection and fix.
pub fn rule_page(wording: Wording<'_>, look: Look, rule: RuleEntry<'_>) -> String {
    let catalogue = wording.catalogue();
    let mut page = Page::new(look);
    let args = Args::new().text("title", wording.rule_title(rule.id)).text("rule", rule.id);
    page.wrapped(&catalogue.text("rule-heading", &args), 0, BOLD);
    let limits: Vec<_> = rule.limits.iter().map(|&l| wording.limit(l)).collect();
    if !limits.is_empty() {
        let args = Args::new().text("limits", limits.join(&catalogue.word("list-separator")));
        page.wrapped(&catalogue.text("rule-limits", &args), 0, DIM);
    }
    page.wrapped(&wording.severity(rule.severity), 0, severity(rule.severity));
    for paragraph in wording.rule_doc(rule.id).lines().filter(|p| !p.trim().is_empty()) {
        page.gap();
        page.wrapped(paragraph.trim(), 0, Style::new());
    }
    page.into_text()
}
