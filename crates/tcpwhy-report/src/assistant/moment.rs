//! One moment of a connection: what limited each direction then, and why.

use serde::Serialize;
use tcpwhy_analysis::Connection;

use super::connection::{PacketRanges, Stretch, StretchEntry};
use super::fit::{Fit, pop};
use super::fix::EvidenceEntry;
use super::ground::Ground;
use crate::dto::{Evidence, Id, rounded};
use crate::{Args, Wording, why};

/// The answer about one moment.
#[derive(Debug, Serialize)]
pub struct MomentAnswer {
    connection: u64,
    /// First packet.
    packet: u64,
    ends: [String; 2],
    /// Moment, in seconds after that packet.
    time_s: f64,
    /// Parts of the capture that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
    /// Reason why nothing limited it at that moment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
    directions: Vec<DirectionEntry>,
}

#[derive(Debug, Serialize)]
struct DirectionEntry {
    /// Index into `ends`.
    sender: usize,
    limit: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Id>,
    /// Stretch of time around the moment under that limit.
    during: StretchEntry,
    confidence: f64,
    ground: Ground,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceEntry>,
    /// Another limit that the packets allow, and the observation that would decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
}

impl MomentAnswer {
    /// Makes the answer about `connection` at `moment`, in nanoseconds after its first packet. `packets` has
    /// the packet numbers of the stretches that [`Self::ranges_of`] returns.
    pub fn new(wording: Wording<'_>, connection: &Connection, moment: i64, packets: &PacketRanges) -> Self {
        let time = connection.span.start().plus(moment);
        let directions: Vec<_> = connection
            .halves
            .iter()
            .filter_map(|half| {
                let interval = &half.limits.intervals()[half.limits.index_at(time)?];
                let values = interval.why.iter().flat_map(|why| why::values(half, why));
                Some(DirectionEntry {
                    sender: half.sender.index(),
                    limit: interval.cause.limit.id().into(),
                    detail: interval.cause.detail.map(|detail| detail.id().into()),
                    during: StretchEntry::new(interval.span, connection, packets),
                    confidence: rounded(f64::from(interval.confidence)),
                    ground: Ground::Inferred,
                    sentence: wording.why(interval),
                    evidence: values.map(|evidence| EvidenceEntry::new(&Evidence::new(&evidence))).collect(),
                    cannot_tell: interval
                        .alternative
                        .into_iter()
                        .map(|(other, decider)| {
                            let args = Args::new()
                                .text("other", wording.limit(other))
                                .text("decider", wording.decider(decider));
                            wording.catalogue().text("verdict-alternative", &args)
                        })
                        .collect(),
                })
            })
            .collect();
        let is_outside = directions.is_empty();
        let outside = || {
            let seconds = |nanos: i64| wording.units().nanos(nanos);
            // Nothing is limited before the first byte, after the last, or between two transfers.
            let is_within = (0..=connection.span.nanos()).contains(&moment);
            let id = if is_within { "assistant-no-data" } else { "assistant-outside" };
            let args = Args::new()
                .text("time", seconds(moment))
                .text("begin", seconds(0))
                .text("end", seconds(connection.span.nanos()));
            wording.catalogue().text(id, &args)
        };
        Self {
            connection: connection.id,
            packet: connection.first_packet,
            ends: [tcpwhy_analysis::Side::A, tcpwhy_analysis::Side::B].map(|side| wording.end(connection, side)),
            time_s: moment as f64 / 1e9,
            damage: Vec::new(),
            cannot_tell: is_outside.then(outside).into_iter().collect(),
            directions,
        }
    }

    /// Adds the parts of the capture that could not be read.
    #[must_use]
    pub fn damaged(mut self, damage: Vec<String>) -> Self {
        self.damage = damage;
        self
    }

    /// The stretches of time whose packet numbers the answer gives.
    pub fn ranges_of(connection: &Connection, moment: i64) -> Vec<Stretch> {
        let time = connection.span.start().plus(moment);
        let of = |half: &tcpwhy_analysis::HalfConnection| {
            let span = half.limits.intervals()[half.limits.index_at(time)?].span;
            Some((connection.first_packet, span))
        };
        connection.halves.iter().filter_map(of).collect()
    }
}

impl Fit for MomentAnswer {
    fn shorten(&mut self) -> bool {
        self.directions.iter_mut().any(|direction| pop(&mut direction.evidence, 0)) || pop(&mut self.damage, 1)
    }
}

#[cfg(test)]
mod terms;
