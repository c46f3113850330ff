//! Words for the excluded limits, with the numbers that exclude them.

use tcpwhy_analysis::answer::Exclusion;

use crate::{Args, Wording};

/// A sentence about what did not limit the direction; `None` if nothing is excluded.
pub(super) fn excluded(wording: Wording<'_>, all: &[Exclusion]) -> Option<String> {
    let parts: Vec<_> = all.iter().map(|exclusion| part(wording, exclusion)).collect();
    let catalogue = wording.catalogue();
    let list = parts.join(&catalogue.word("answer-excluded-separator"));
    (!parts.is_empty()).then(|| catalogue.text("answer-excluded", &Args::new().text("list", list)))
}

fn part(wording: Wording<'_>, exclusion: &Exclusion) -> String {
    let units = wording.units();
    let (id, args) = match *exclusion {
        Exclusion::Window { free } => ("answer-excluded-window", Args::new().text("free", units.bytes(free))),
        Exclusion::Loss { count, all } => {
            ("answer-excluded-loss", Args::new().text("count", units.count(count)).text("all", units.count(all)))
        }
        Exclusion::Path { rate, path } => (
            "answer-excluded-path",
            Args::new().text("rate", units.bits_per_second(rate)).text("path", units.rough_bits_per_second(path)),
        ),
    };
    wording.catalogue().text(id, &args)
}
