//! Whether the rates of a transfer and of others show that both use one link.

use tcpwhy_model::{ByteSlots, Rate, Span, Timestamp};

use super::passing::Passage;
use crate::outcome::HalfConnection;
use crate::thresholds::{LINK_COVERED, LINK_NEAR, LINK_OPPOSED, LINK_SLOTS, LINK_USED, LINK_VARIES};

/// Largest number of slots that are compared: more only cost time.
const MOST_SLOTS: i64 = 512;

/// Whether all of them together got the path's rate, or the transfer got less whenever the others sent more.
pub(super) fn shares_link(own: &Passage, others: &[(&ByteSlots, f64)], held: &[Span], half: &HalfConnection) -> bool {
    is_link_filled(own, others, held, half) || is_opposed(own, others, held, half)
}

/// Whether trains of segments show that the path carries far more than all of them got together.
pub(super) fn is_link_empty(own: &Passage, others: &[(&ByteSlots, f64)], held: &[Span], half: &HalfConnection) -> bool {
    used_part(own, others, held, half).is_some_and(|part| part < LINK_USED.get())
}

/// Whether they got the path's rate together, as trains of segments or a policer show it.
fn is_link_filled(own: &Passage, others: &[(&ByteSlots, f64)], held: &[Span], half: &HalfConnection) -> bool {
    used_part(own, others, held, half).is_some_and(|part| (part - 1.0).abs() <= LINK_NEAR.get())
}

/// Returns the part of the path's rate that all of them got; `None` if that rate is unknown.
fn used_part(own: &Passage, others: &[(&ByteSlots, f64)], held: &[Span], half: &HalfConnection) -> Option<f64> {
    let path = half.path_rate.map(Rate::bytes_per_sec)?;
    let packet = own.total as f64 / (half.bytes + half.retransmitted_bytes).max(1) as f64;
    let seconds = held.iter().map(|span| span.seconds()).sum::<f64>();
    let bytes = own.bytes.within(held) + others.iter().map(|(_, bytes)| bytes).sum::<f64>();
    Some(bytes / (seconds * path * packet))
}

/// Whether the transfer got less whenever the others sent more.
fn is_opposed(own: &Passage, others: &[(&ByteSlots, f64)], held: &[Span], half: &HalfConnection) -> bool {
    let (Some(first), Some(last)) = (held.first(), held.last()) else { return false };
    let widest = others.iter().map(|(slots, _)| slots.width()).fold(own.bytes.width(), i64::max);
    let round_trip = half.rtt.as_ref().map_or(0, |(rtt, _)| i64::try_from(rtt.median).unwrap_or(i64::MAX));
    let extent = last.end().since(first.start());
    let width = widest.max(round_trip).max(extent / MOST_SLOTS).max(1);
    let mut pairs = Vec::new();
    let mut start = first.start();
    while last.end().since(start) >= width {
        let slot = Span::new(start, start.plus(width));
        let covered: i64 = held.iter().map(|span| overlap(*span, slot)).sum();
        if covered as f64 >= LINK_COVERED.get() * width as f64 {
            let sum: f64 = others.iter().map(|(slots, _)| slots.within(&[slot])).sum();
            pairs.push((own.bytes.within(&[slot]), sum));
        }
        start = slot.end();
    }
    pairs.len() >= LINK_SLOTS.get() && correlation(&pairs).is_some_and(|r| -r >= LINK_OPPOSED.get())
}

fn overlap(one: Span, other: Span) -> i64 {
    let [start, end]: [Timestamp; 2] = [one.start().max(other.start()), one.end().min(other.end())];
    end.since(start).max(0)
}

/// Returns Pearson's correlation; `None` if one of the two hardly varies.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0 / count, y + pair.1 / count));
    let sum = |of: fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum::<f64>();
    let [xx, yy, xy] = [sum(|x, _| x * x), sum(|_, y| y * y), sum(|x, y| x * y)];
    let varies = |squares: f64, mean: f64| (squares / count).sqrt() >= LINK_VARIES.get() * mean && squares > 0.0;
    (varies(xx, x) && varies(yy, y)).then(|| xy / (xx * yy).sqrt())
}

#[cfg(test)]
mod terms;
