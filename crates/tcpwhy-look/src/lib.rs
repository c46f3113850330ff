//! The looks that tcpwhy takes at captures: the first at all connections, another at the packets of those that are drawn, another
//! at the marks by which two captures of one connection are held against each other. Of recordings, what their kernel said is put
//! beside what packets say ([`recorded`]), for whoever looks: the program, its server, the page in a browser.
//!
//! **Invariant:** what is done for each packet is compiled in this crate or those that it calls, for speed. The program is compiled
//! for size, so these functions take their callbacks as trait objects and are no part of their callers.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod recorded;

use std::io;

use tcpwhy_analysis::{Connection, MarkRecorder};
use tcpwhy_capture::CaptureError;
use tcpwhy_engine::{Delivery, Outcome, Plan, Reached, Source};
use tcpwhy_view::{Gatherer, Recorded};

/// Shows `present` every connection of `source`, as [`tcpwhy_engine::run`] does.
///
/// # Errors
/// Those of [`tcpwhy_engine::run`]; what the source cannot read is part of the [`Outcome`].
#[inline(never)]
pub fn connections(
    source: Source,
    delivery: Delivery,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(Reached),
    present: &mut dyn FnMut(Connection, Option<u64>) -> io::Result<()>,
) -> io::Result<Outcome> {
    tcpwhy_engine::run(source, delivery, plan, progress, present)
}

/// Shows `gatherer` the packets of `source`, as many as it wants: what it recorded, and why the source could not be read to its
/// end, if it was wanted and could not. `progress` is told how many bytes are read, and of how many if that is known.
///
/// # Errors
/// Those of [`tcpwhy_engine::read`].
#[inline(never)]
pub fn packets(
    source: Source,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
    mut gatherer: Gatherer,
) -> io::Result<(Vec<Option<Recorded>>, Vec<CaptureError>)> {
    let failures =
        tcpwhy_engine::read(source, plan, progress, |batch| batch.iter().all(|segment| gatherer.observe(segment)))?;
    Ok((gatherer.finish(), failures))
}

/// Records the marks of all connections of `source`, of what can be read of it.
///
/// # Errors
/// Those of [`tcpwhy_engine::read`].
#[inline(never)]
pub fn marks(source: Source, plan: &Plan<'_>, mut recorder: MarkRecorder) -> io::Result<MarkRecorder> {
    let observe = |batch: &[_]| {
        for segment in batch {
            recorder.observe(segment);
        }
        true
    };
    tcpwhy_engine::read(source, plan, |_, _| {}, observe)?;
    Ok(recorder)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tcpwhy_capture::CaptureReader;
    use tcpwhy_view::Wanted;
    use tcpwhy_view::chart::Budget;

    use super::*;

    #[test]
    fn both_looks_see_the_same_connection() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
        let open = || Source::Single(Box::new(CaptureReader::open(&sample).unwrap()));
        let mut all = Vec::new();
        let mut present = |connection, _| {
            all.push(connection);
            Ok(())
        };
        let outcome = connections(open(), Delivery::Bulk, &Plan::default(), &mut |_| (), &mut present).unwrap();
        assert!(outcome.connections == 1 && outcome.ending.failures.is_empty());
        let wanted = [Wanted::whole(&all[0], Budget::LARGE)];
        let (recorded, failures) = packets(open(), &Plan::default(), &mut |_, _| {}, Gatherer::new(&wanted)).unwrap();
        assert!(recorded.len() == 1 && recorded[0].is_some() && failures.is_empty());
        assert_eq!(marks(open(), &Plan::default(), MarkRecorder::default()).unwrap().finish().len(), 1);
    }
}
