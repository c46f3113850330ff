//! Limits of one connection, as a table.

use tcpwhy_analysis::HalfConnection;
use tcpwhy_model::{LimitTotal, Span};

use super::table::{Align, table};
use crate::Wording;
use crate::ratio::ratio;
use crate::text::timeline_within;

/// Most limits with a row of their own; the others share one.
const MOST: usize = 6;

/// The limits of `half` within `range`, longest first.
pub(super) fn limits(wording: Wording<'_>, half: &HalfConnection, range: Option<Span>) -> Vec<String> {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let timeline = timeline_within(half, range);
    let all = timeline.span().nanos() as f64;
    let totals = timeline.totals();
    let time = |nanos: i64| [units.nanos(nanos), units.share(ratio(nanos as f64, all))];
    let row = |total: &LimitTotal| {
        let [seconds, share] = time(total.nanos);
        vec![wording.cause(total.cause), seconds, share, units.share(total.confidence)]
    };
    let mut rows: Vec<_> = totals.iter().take(MOST).map(row).collect();
    let rest: i64 = totals.iter().skip(MOST).map(|total| total.nanos).sum();
    if rest > 0 {
        let [seconds, share] = time(rest);
        rows.push(vec![catalogue.word("bars-rest"), seconds, share, String::new()]);
    }
    let columns =
        [("limit", Align::Left), ("time", Align::Right), ("share", Align::Right), ("confidence", Align::Right)];
    table(&columns.map(|(id, align)| (catalogue.word(&format!("markdown-column-{id}")), align)), &rows)
}
