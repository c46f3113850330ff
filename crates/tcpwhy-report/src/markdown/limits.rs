//! What limited one connection, as a table.

use tcpwhy_analysis::HalfConnection;
use tcpwhy_model::{Basis, Cause, Interval, LimitTotal, Span};

use super::table::{Align, table};
use crate::text::timeline_within;
use crate::wording::ratio;
use crate::{Wording, why};

/// Limits with a row of their own; the others share one.
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
        let basis = ground(half, timeline.intervals(), total.cause).map(|basis| wording.basis(basis));
        vec![wording.cause(total.cause), seconds, share, units.share(total.confidence), basis.unwrap_or_default()]
    };
    let mut rows: Vec<_> = totals.iter().take(MOST).map(row).collect();
    let rest: i64 = totals.iter().skip(MOST).map(|total| total.nanos).sum();
    if rest > 0 {
        let [seconds, share] = time(rest);
        rows.push(vec![catalogue.word("bars-rest"), seconds, share, String::new(), String::new()]);
    }
    let columns = [
        ("limit", Align::Left),
        ("time", Align::Right),
        ("share", Align::Right),
        ("confidence", Align::Right),
        ("ground", Align::Left),
    ];
    table(&columns.map(|(id, align)| (catalogue.word(&format!("markdown-column-{id}")), align)), &rows)
}

/// The ground of the number that decided the longest interval under `cause`; `None` where none was kept.
fn ground(half: &HalfConnection, intervals: &[Interval], cause: Cause) -> Option<Basis> {
    let decided = intervals.iter().filter(|interval| interval.cause == cause && interval.why.is_some());
    // The first of equals.
    let longest = decided.rev().max_by_key(|interval| interval.span.nanos())?;
    let values = why::values(half, longest.why.as_ref()?);
    values.first().map(|evidence| evidence.basis)
}
