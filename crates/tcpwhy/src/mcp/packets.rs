//! Finds the numbers of a connection's packets within a time range.

use std::collections::HashMap;

use tcpwhy_model::{Endpoint, Segment, Span};
use tcpwhy_report::assistant::{PacketRanges, Stretch};

use super::work::Work;
use crate::inputs::Inputs;
use crate::wrong::Result;

/// A time range of a connection.
struct Wanted {
    first_packet: u64,
    span: Span,
    /// The endpoints of the connection, once its first packet was read.
    ends: Option<[Endpoint; 2]>,
    found: Option<[u64; 2]>,
}

impl Wanted {
    fn observe(&mut self, segment: &Segment) {
        let ends = [segment.source, segment.destination];
        if segment.number == self.first_packet {
            self.ends = Some(ends);
        }
        let Some([a, b]) = self.ends else { return };
        let is_ours = ends == [a, b] || ends == [b, a];
        if is_ours && self.span.start() <= segment.timestamp && segment.timestamp <= self.span.end() {
            let first = self.found.map_or(segment.number, |[first, _]| first);
            self.found = Some([first, segment.number]);
        }
    }
}

/// Reads the first of `inputs` again, to find the first and last packet within each of `stretches`.
pub(super) fn find(inputs: &Inputs, stretches: Vec<Stretch>, work: &Work) -> Result<PacketRanges> {
    let wanted = |(first_packet, span)| Wanted { first_packet, span, ends: None, found: None };
    let mut all: Vec<_> = stretches.into_iter().map(wanted).collect();
    let Some(end) = all.iter().map(|wanted| wanted.span.end()).max() else { return Ok(PacketRanges::new()) };
    let mut observe = |batch: &[Segment]| {
        for segment in batch {
            for wanted in &mut all {
                wanted.observe(segment);
            }
        }
        // Ends the read after the last time range, unless a connection's first packet is still missing
        // because the clock stepped back.
        let is_over = batch.first().is_some_and(|segment| segment.timestamp > end);
        !(is_over && all.iter().all(|wanted| wanted.ends.is_some()))
    };
    tcpwhy_engine::read(inputs.open(0)?, &work.plan(), &mut |_, _| {}, &mut observe)?;
    let found = all.into_iter().filter_map(|wanted| Some(((wanted.first_packet, wanted.span), wanted.found?)));
    Ok(found.collect::<HashMap<_, _>>())
}
