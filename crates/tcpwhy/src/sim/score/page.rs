//! The text output of `tcpwhy sim score`.

use std::fmt::Write as _;

use tcpwhy_report::{Args, Wording};

use super::scored::{AS_IT_WAS, Errors, Score, Scored};

/// Relative error above which a transfer gets a separate line.
const WORTH_A_LINE: f64 = 0.1;

/// One line for each transfer with a large error, or for all if `is_verbose`; then one for each removed
/// cause, and the summary.
pub(super) fn text(wording: Wording<'_>, score: &Score, is_verbose: bool) -> String {
    let catalogue = wording.catalogue();
    let mut text = String::new();
    let is_shown = |one: &&Scored| {
        is_verbose || !(one.is_within(WORTH_A_LINE) || one.has_drawn_losses && one.is_in_range() == Some(true))
    };
    let width = score.transfers.iter().filter(is_shown).map(|one| one.name.len()).max().unwrap_or_default();
    for one in score.transfers.iter().filter(is_shown) {
        let _ = writeln!(text, "{}", line(wording, one, width));
    }
    let summary = &score.summary;
    for errors in summary.by_cause.iter().filter(|errors| errors.transfers > 0) {
        let id = if errors.without == AS_IT_WAS { "sim-score-as-it-was" } else { "sim-score-cause" };
        let _ = writeln!(text, "{}", counted(wording, id, errors));
    }
    let _ = writeln!(text, "{}", counted(wording, "sim-score-repeatable", &summary.repeatable));
    if summary.counted > 0 {
        let args = Args::new().number("near", summary.near_counts).number("all", summary.counted);
        let _ = writeln!(text, "{}", catalogue.text("sim-score-counts", &args));
    }
    if summary.drawn.transfers > 0 {
        let drawn = &summary.drawn;
        let args = Args::new()
            .number("transfers", drawn.transfers)
            .number("in-range", summary.drawn_in_range)
            .text("share", wording.units().share(summary.drawn_in_range as f64 / drawn.transfers as f64))
            .number("within", drawn.within_10_percent);
        let _ = writeln!(text, "{}", catalogue.text("sim-score-drawn", &args));
    }
    let mut last = counted(wording, "sim-score-all", &summary.all);
    if let Some(width) = summary.median_width {
        let args = Args::new()
            .number("hold", summary.ranges_that_hold)
            .number("ranges", summary.ranges)
            .text("width", format!("{width:.2}"));
        last.push_str(&catalogue.text("sim-score-ranges", &args));
    }
    if let Some(distance) = summary.median_causes_distance {
        let args = Args::new().text("distance", format!("{distance:.3}"));
        last.push_str(&catalogue.text("sim-score-distance", &args));
    }
    if summary.refused > 0 {
        last.push_str(&catalogue.text("sim-score-refused", &Args::new().number("count", summary.refused)));
    }
    let _ = writeln!(text, "{last}");
    text
}

fn line(wording: Wording<'_>, one: &Scored, width: usize) -> String {
    let units = wording.units();
    let catalogue = wording.catalogue();
    let error = one.error.map_or_else(|| "?".to_owned(), |error| format!("{:+.1}%", error * 100.0));
    let without = if one.without == AS_IT_WAS { "" } else { &one.without };
    let name = format!("{:width$}  {without:8}", one.name);
    let Some(simulated) = one.simulated_s else {
        let why = one.refused.clone().unwrap_or_default();
        return format!("{error:>9}  {name}  {why}");
    };
    let args = Args::new().text("simulated", units.seconds(simulated)).text("kernel", units.seconds(one.kernel_s));
    let mut line = format!("{error:>9}  {name}  {}", catalogue.text("sim-score-times", &args));
    if let Some((low, high)) = one.low_s.zip(one.high_s) {
        let args = Args::new().text("low", units.seconds(low)).text("high", units.seconds(high));
        line.push_str(&catalogue.text("sim-score-range", &args));
    }
    if !one.is_repeatable() {
        let within = one.kernel_repeats_within.unwrap_or_default();
        line.push_str(&catalogue.text("sim-score-noise", &Args::new().text("share", units.share(within))));
    }
    line
}

fn counted(wording: Wording<'_>, id: &str, errors: &Errors) -> String {
    let units = wording.units();
    let share = |count: u64| units.share(count as f64 / errors.transfers.max(1) as f64);
    let args = Args::new()
        .text("cause", &errors.without)
        .number("transfers", errors.transfers)
        .number("near", errors.within_3_percent)
        .text("near-share", share(errors.within_3_percent))
        .number("within", errors.within_10_percent)
        .text("within-share", share(errors.within_10_percent))
        .text("median", errors.median.map_or_else(|| "–".to_owned(), |median| units.share(median)));
    wording.catalogue().text(id, &args)
}
