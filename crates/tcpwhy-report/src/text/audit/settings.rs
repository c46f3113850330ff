//! Counters and settings, one line each with their meaning.

use anstyle::Style;
use tcpwhy_audit::{CounterLine, HostFacts, SettingLine};
use unicode_width::UnicodeWidthStr as _;

use super::super::look::pad;
use super::super::page::Page;
use super::super::palette::{BOLD, DIM, WARNING};
use crate::{Args, Wording};

pub(super) fn write_counters(page: &mut Page, wording: Wording<'_>, facts: &HostFacts<'_>, counters: &[CounterLine]) {
    if counters.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    let heading = match facts.host.is_initial_namespace {
        Some(false) => "heading-audit-counters-namespace",
        _ => "heading-audit-counters",
    };
    page.heading(&catalogue.word(heading));
    let name_width = counters.iter().map(|c| c.name.width()).max().unwrap_or_default();
    let counts: Vec<_> = counters.iter().map(|c| wording.units().count(c.count)).collect();
    let count_width = counts.iter().map(|c| c.width()).max().unwrap_or_default();
    let seconds = facts.host.recent.as_ref().map(|(_, seconds)| *seconds);
    for (counter, count) in counters.iter().zip(&counts) {
        let label = format!(
            "{}  {}{count}  ",
            pad(counter.name, name_width),
            " ".repeat(count_width.saturating_sub(count.width()))
        );
        let numbers = numbers(wording, counter, seconds);
        let meaning = wording.counter(counter.name);
        let text = if numbers.is_empty() {
            meaning
        } else {
            let facts = numbers.join(&catalogue.word("list-separator"));
            catalogue.text("audit-setting", &Args::new().text("text", meaning).text("facts", facts))
        };
        let style = if counter.recent.is_some_and(|n| n > 0) { WARNING } else { Style::new() };
        page.hanging((&label, style), &text, 2, DIM);
    }
}

fn numbers(wording: Wording<'_>, counter: &CounterLine, seconds: Option<f64>) -> Vec<String> {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let share = counter.share.map(|s| {
        catalogue.text("audit-counter-share", &Args::new().text("share", units.share(s.share)).text("of", s.of))
    });
    let rate = counter
        .per_hour
        .filter(|&r| r >= 0.05)
        .map(|r| catalogue.text("audit-counter-rate", &Args::new().text("rate", units.real(r))));
    let recent = counter.recent.filter(|&n| n > 0).zip(seconds).map(|(n, seconds)| {
        let args = Args::new().text("count", units.count(n)).text("seconds", units.seconds(seconds));
        catalogue.text("audit-counter-recent", &args)
    });
    [rate, share, recent].into_iter().flatten().collect()
}

pub(super) fn write_settings(page: &mut Page, wording: Wording<'_>, settings: &[SettingLine]) {
    if settings.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-audit-settings"));
    for line in settings {
        let mut facts = vec![catalogue.word(&format!("audit-scope-{}", line.scope.id()))];
        facts.extend(line.is_default.map(|is| catalogue.word(if is { "audit-default" } else { "audit-changed" })));
        if line.has_effect == Some(false) {
            facts.push(catalogue.word("audit-no-effect"));
        }
        let facts = facts.join(&catalogue.word("list-separator"));
        let style = if line.is_default == Some(false) { WARNING } else { BOLD };
        page.wrapped(&format!("{} = {}", line.sysctl.name(), wording.setting_value(line)), 2, style);
        let args = Args::new().text("text", wording.setting(line.sysctl)).text("facts", facts);
        page.wrapped(&catalogue.text("audit-setting", &args), 6, Style::new());
    }
}
