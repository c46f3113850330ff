//! Numbers of packets: which ones of a connection were captured within a stretch of time.

use std::collections::HashMap;

use anyhow::Result;
use tcpwhy_analysis::Connection;
use tcpwhy_model::{Segment, Span};
use tcpwhy_report::assistant::PacketRanges;

use super::work::Work;
use crate::inputs::Inputs;

/// Reads the first of `inputs` again for the first and last packet of `connection` within each of `spans`.
pub(super) fn find(inputs: &Inputs, connection: &Connection, spans: Vec<Span>, work: &Work) -> Result<PacketRanges> {
    let mut found: Vec<(Span, Option<[u64; 2]>)> = spans.into_iter().map(|span| (span, None)).collect();
    let ends = connection.endpoints;
    let end = connection.span.end();
    let mut observe = |batch: &[Segment]| {
        for segment in batch {
            let is_ours =
                [segment.source, segment.destination] == ends || [segment.destination, segment.source] == ends;
            if !is_ours || segment.number < connection.first_packet {
                continue;
            }
            let at = segment.timestamp;
            for (_, range) in found.iter_mut().filter(|(span, _)| span.start() <= at && at <= span.end()) {
                let first = range.map_or(segment.number, |[first, _]| first);
                *range = Some([first, segment.number]);
            }
        }
        // What comes after the connection is another one.
        batch.first().is_none_or(|segment| segment.timestamp <= end)
    };
    tcpwhy_engine::read(inputs.open(0)?, &work.plan(), &mut |_, _| {}, &mut observe)?;
    Ok(found.into_iter().filter_map(|(span, range)| Some((span, range?))).collect::<HashMap<_, _>>())
}
