//! The terminal output of `tcpwhy predict`.

use anstyle::Style;

use super::look::Look;
use super::page::Page;
use super::palette::{BOLD, DIM};
use crate::predicted::{Predicted, PredictedChange, What};
use crate::{Args, Wording};

/// The predictions for one connection on one screen.
pub fn predicted(wording: Wording<'_>, look: Look, predicted: &Predicted) -> String {
    let mut page = Page::new(look);
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let [sender, receiver] = &predicted.endpoints;
    let args = Args::new()
        .text("sender", sender.to_string())
        .text("receiver", receiver.to_string())
        .text("bytes", units.bytes(predicted.bytes))
        .text("time", units.seconds(predicted.seconds));
    page.wrapped(&catalogue.text("predict-head", &args), 0, BOLD);
    let cause = predicted.cause.map_or_else(|| catalogue.word("predict-no-limit"), |cause| wording.cause(cause));
    let rebuilt = predicted.rebuilt;
    let args = Args::new()
        .text("cause", cause)
        .text("time", units.seconds(rebuilt.seconds))
        .text("fit", catalogue.word(&format!("predict-fit-{}", rebuilt.grade.id())))
        .number("worlds", rebuilt.worlds.into());
    page.wrapped(&catalogue.text("predict-as-it-was", &args), 0, Style::new());
    if !rebuilt.is_rate_seen {
        page.wrapped(&catalogue.word("predict-rate-drawn"), 0, Style::new());
    }
    page.gap();
    for change in &predicted.outlooks {
        page.wrapped(&line(wording, change, predicted.seconds), 0, Style::new());
    }
    if predicted.outlooks.is_empty() {
        page.wrapped(&catalogue.word("predict-nothing"), 0, DIM);
    }
    page.into_text()
}

/// The line about one change.
fn line(wording: Wording<'_>, change: &PredictedChange, now: f64) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let what = match &change.what {
        What::Fix(id) => id.clone(),
        What::Settings(settings) => {
            let list: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
            list.join(", ")
        }
        What::Together => catalogue.word("predict-together"),
    };
    let args = Args::new().text("what", what).text("now", units.seconds(now));
    match &change.then {
        None => catalogue.text("predict-endless", &args),
        Some(then) => {
            let args = args
                .text("then", units.rough_seconds(then.value))
                .text("low", units.rough_seconds(then.range.0))
                .text("high", units.rough_seconds(then.range.1))
                .text("next", wording.limit(then.next_limit));
            catalogue.text("predict-then", &args)
        }
    }
}
