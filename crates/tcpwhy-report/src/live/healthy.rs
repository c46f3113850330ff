//! Sentences about directions of live connections that have no limit worth a change.

use tcpwhy_analysis::HalfConnection;

use crate::{Args, Wording};

/// The sentence with the time watched and the longest limit. `None` if a limit was found, because its own
/// sentence contains the seconds.
pub(crate) fn healthy_sentence(half: &HalfConnection, wording: Wording<'_>) -> Option<String> {
    if half.verdict.cause.is_some() {
        return None;
    }
    let units = wording.units();
    let args = Args::new().text("total", units.nanos(half.limits.span().nanos()));
    Some(match half.limits.totals().first() {
        Some(most) => {
            let args = args.text("limit", wording.live_cause(most.cause)).text("held", units.nanos(most.nanos));
            wording.catalogue().text("live-healthy", &args)
        }
        None => wording.catalogue().text("live-healthy-brief", &args),
    })
}
