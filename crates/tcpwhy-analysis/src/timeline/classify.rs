//! Decides, slot by slot, what the gaps alone left open, from the evidence of the slots around.

use tcpwhy_model::{Cause, Decider, Detail, Limit, WindowScale};

use super::around::{Around, LEAST_FREES, REACH, around, neighbours};
use super::slot::{Local, LocalInterval, Slot};

/// What is known of the half-connection so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    pub(crate) rtt_min: Option<i64>,
    pub(crate) mss: u64,
    pub(crate) window_max: u64,
    /// First window offered after the handshake.
    pub(crate) window_first: u64,
    pub(crate) window_scale: WindowScale,
    pub(crate) flight_max: u64,
    pub(crate) is_shifted: bool,
    /// Rate at which trains of segments came through, bytes/s.
    pub(crate) train_rate: Option<f64>,
    /// No acknowledgment of the data was captured.
    pub(crate) is_one_sided: bool,
    /// When the first data passed, nanoseconds since the epoch.
    pub(crate) first_data: i64,
    /// The order of sends and ACKs at the sender is known.
    pub(crate) has_sender_order: bool,
    /// The sender spaces its segments by its own estimate of the path.
    pub(crate) is_pacing: bool,
    /// Away from the sender: by how much the promptest data took longer after the ACK that it answers than the handshake did.
    pub(crate) tardiness: i64,
}

/// The slots at hand, and what is left of those forgotten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) slots: &'a [Slot],
    /// For each, the largest flight before it since the last loss or idle period.
    pub(crate) peaks_before: &'a [u64],
    /// From which of them on something had been sent again before.
    pub(crate) lost_from: usize,
    /// The best [`Slot::carried`] before them.
    pub(crate) carried_before: f64,
    /// None was forgotten: the first slot is the connection's.
    pub(crate) is_from_start: bool,
}

impl View<'_> {
    /// Something was sent again before slot `i`.
    fn has_lost_before(&self, i: usize) -> bool {
        i >= self.lost_from
    }
}

/// What becomes of a stretch of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled {
    pub(crate) end: i64,
    pub(crate) cause: Cause,
    pub(crate) confidence: f32,
    pub(crate) alternative: Option<(Limit, Decider)>,
    /// A standing queue made the round trips longer meanwhile.
    pub(crate) is_queued: bool,
}

/// A label with its confidence and the other limit that is possible.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Label {
    cause: Cause,
    confidence: f32,
    alternative: Option<(Limit, Decider)>,
}

impl Label {
    fn new(cause: impl Into<Cause>, confidence: f32) -> Self {
        Self { cause: cause.into(), confidence, alternative: None }
    }

    /// The packets would allow `other` as well.
    fn or(self, other: Limit, decider: Decider) -> Self {
        Self { alternative: Some((other, decider)), ..self }
    }
}

/// Windows that grew to this or more were grown by autotuning: applications rarely ask for so much, and the ceiling
/// `tcp_rmem[2]` has been 4 MiB or more since Linux 2.6.
const LIKELY_AUTOTUNED: u64 = 1_500_000;

/// Labels slot `i`, whose `intervals` these are, one by one.
pub(crate) fn label_slot(
    view: &View<'_>,
    i: usize,
    intervals: &[LocalInterval],
    context: &Context,
    mut account: impl FnMut(Labelled),
) {
    let all = view.slots;
    let can_be_busy = neighbours(all, i, REACH).iter().map(|s| s.frees).sum::<u32>() >= LEAST_FREES;
    let known = |LocalInterval { end, local }: LocalInterval| match local {
        // Without any ACK of the data, what was in flight is not known; but repeats show a timer that ran out, and before the
        // first data there was nothing in flight.
        Local::Definite(cause)
            if !context.is_one_sided
                || matches!(cause.limit, Limit::Handshake | Limit::LossRecovery)
                || end <= context.first_data =>
        {
            Some(Label::new(cause, 0.95))
        }
        _ if context.is_one_sided => Some(Label::new(Cause::plain(Limit::Unobserved), 0.9)),
        Local::Tail if !can_be_busy => Some(Label::new(Cause::plain(Limit::TailRtt), 0.9)),
        _ => None,
    };
    // Neighbours of one label are one to the account.
    let mut last: Option<(i64, Label, bool)> = None;
    let mut give = |end, label: Label, is_queued| {
        if let Some((last_end, last_label, _)) = &mut last
            && *last_label == label
        {
            *last_end = end;
        } else if let Some(last) = last.replace((end, label, is_queued)) {
            account(labelled(last));
        }
    };
    if intervals.iter().all(|x| known(*x).is_some()) {
        // What is around does not matter.
        for interval in intervals {
            if let Some(label) = known(*interval) {
                give(interval.end, label, false);
            }
        }
        last.map(labelled).map(account);
        return;
    }
    let slot = &all[i];
    let near = around(all, i, REACH, context);
    let is_queued = near.is_queued(slot.rtt_min, context.rtt_min);
    let open = open_label(view, i, &near, is_queued, context);
    let open = match open.cause.limit {
        // What the receiver offered is not known: its window may have been full.
        Limit::SendBuffer | Limit::CongestionWindow
            if context.window_scale == WindowScale::Unknown || slot.frees > 0 && slot.windows.is_none() =>
        {
            open.or(Limit::ReceiveWindow, Decider::Syn)
        }
        _ => open,
    };
    let window = window_label(slot, &near, context);
    // Right beside a loss, a window that shrinks leaves ACKs unanswered as well.
    let is_hoarding = context.has_sender_order
        && all[i.saturating_sub(1)..(i + 2).min(all.len())].iter().all(|s| s.retransmissions == 0)
        && near.hoarded * 10 >= near.clocked + near.hoarded + near.burst;
    // Away from the sender, retransmissions and queues blur which ACK released what.
    let is_blurred = !context.has_sender_order
        || context.is_shifted && (near.losses > 0 || near.is_busy() || is_queued || !near.is_mostly_unreleased());
    // A pacer's own pace is no application's.
    let is_pacers = context.is_pacing && open.cause.limit != Limit::SendBuffer;
    let is_own_pace = !(is_blurred || is_pacers || near.is_even(context.mss, context.rtt_min) || near.is_repair());
    for (n, interval) in intervals.iter().enumerate() {
        let label = match interval.local {
            Local::Definite(cause) => Label::new(cause, 0.95),
            Local::WindowFull => window,
            Local::Tail if is_queued && near.is_busy() => Label::new(Detail::Queue, 0.8),
            Local::Tail => Label::new(Cause::plain(Limit::TailRtt), 0.9),
            Local::Unreleased if is_own_pace => Label::new(Detail::PacedWrites, 0.8),
            // Seldom, but again and again: then there was nothing to send, whatever bound the rest of the time.
            Local::Hoarded if is_hoarding && open.cause.limit == Limit::CongestionWindow => {
                Label::new(Cause::plain(Limit::SendBuffer), 0.65)
            }
            Local::Clocked | Local::Hoarded | Local::Unreleased => open,
            Local::Burst => match intervals[n + 1..].iter().find(|x| x.local != Local::Burst).map(|x| x.local) {
                Some(Local::Unreleased) if is_own_pace && !context.is_pacing => Label::new(Detail::PacedWrites, 0.7),
                Some(Local::WindowFull) => window,
                _ => open,
            },
        };
        give(interval.end, label, is_queued);
    }
    last.map(labelled).map(account);
}

fn labelled((end, label, is_queued): (i64, Label, bool)) -> Labelled {
    let Label { cause, confidence, alternative } = label;
    Labelled { end, cause, confidence, alternative, is_queued }
}

fn open_label(view: &View<'_>, i: usize, near: &Around, is_queued: bool, context: &Context) -> Label {
    let slot = &view.slots[i];
    let open = near.clocked + near.hoarded + near.burst;
    // One slow round does not end slow start.
    let is_between = near.losses == 0 && (is_opening(view, i + 1) || is_opening(view, i + 2));
    if is_opening(view, i) || is_between && near.hoarded * 10 < open * 3 {
        if is_queued && near.is_busy() {
            // The pipe is full: more window only lengthens the queue.
            return Label::new(Detail::Queue, 0.8);
        }
        return Label::new(Cause::plain(Limit::SlowStart), 0.8);
    }
    if slot.window_full * 2 > slot.open() {
        // Between two closings of the window, sends follow the moves of its right edge.
        return window_label(slot, near, context);
    }
    if near.is_repair() {
        return Label::new(Detail::PostLoss, 0.7);
    }
    if let Some(label) = paced_label(view, i, near, context) {
        return label;
    }
    let is_unreleased = near.is_mostly_unreleased() && context.has_sender_order;
    // A slow link spaces what it serves evenly as well, though seldom to the tick.
    let is_saturated = is_queued && slot.peak_flight * 10 >= slot.cwnd_floor * 9 && near.is_saturated(context);
    let is_served = (near.is_busy() || is_queued)
        && (near.combs * 10 < near.bursts * 9 || near.is_queue_beyond_rhythm(context.rtt_min) || is_saturated);
    if near.is_comb(context.is_shifted, context.rtt_min) && !is_served
        || is_unreleased && !near.is_even(context.mss, context.rtt_min) && !(context.is_shifted && near.is_busy())
    {
        return Label::new(Detail::PacedWrites, 0.8);
    }
    if near.is_even(context.mss, context.rtt_min) {
        if is_queued && near.is_busy() {
            return Label::new(Detail::Queue, 0.85);
        }
        if view.has_lost_before(i) && near.releases * 2 > near.bursts {
            // ACKs release evenly what a loss has left of the window.
            return Label::new(Detail::PostLoss, 0.7);
        }
        // A network card, a shaper or a pacing sender; an application that writes just so would look the same.
        return Label::new(Cause::plain(Limit::Path), 0.65).or(Limit::Application, Decider::LiveSampling);
    }
    let is_random = !context.is_shifted && near.is_random();
    // ACKs come faster than a writer wakes that waits for its buffer; but it fills the buffer again and again.
    let is_refilled = near.hoarded * 10 >= open * 3 && !slot.is_under_floor();
    if is_random && !is_refilled && !is_saturated {
        return Label::new(Detail::PacedWrites, 0.7);
    }
    if context.is_shifted
        && near.losses == 0
        && !near.is_busy()
        && !is_queued
        && context.rtt_min.is_some_and(|base| near.is_waiting(base) || near.is_never_prompt(base, context.tardiness))
    {
        return Label::new(Detail::PacedWrites, 0.65).or(Limit::SendBuffer, Decider::SenderCapture);
    }
    // The window is not smaller than it was without a loss, ACKs come without pause, as they do not to a writer that waits for
    // its buffer, no queue stands, and yet less is under way, in an even rhythm: nothing but the application is left.
    let is_less = slot.is_under_floor() && near.losses == 0 && !view.has_lost_before(i);
    let is_steady = near.is_regular() && near.is_busy() && near.hoarded * 10 < open;
    if is_less && is_steady && !is_queued && !context.is_pacing {
        return Label::new(Detail::PacedWrites, 0.7);
    }
    // The window had been wider, a full buffer would show, and the path gave more: it was not asked for more.
    let is_idle_path = context.train_rate.is_some_and(|train| near.rate() < train / 2.0);
    if !context.is_shifted && near.hoarded * 10 < open && slot.is_under_floor() && is_idle_path {
        if context.is_pacing {
            // What a buffer frees goes out at the pacer's pace: nothing is seen to wait.
            return Label::new(Cause::plain(Limit::SendBuffer), 0.65)
                .or(Limit::CongestionWindow, Decider::LiveSampling);
        }
        return Label::new(Detail::PacedWrites, 0.7);
    }
    // A buffer that is full above a standing queue: more would only lengthen the queue.
    if is_queued && near.is_busy() {
        return Label::new(Detail::Queue, 0.85);
    }
    let decider = if context.is_shifted { Decider::SenderCapture } else { Decider::LiveSampling };
    let unused = near.hoarded + if near.is_busy() { 0 } else { near.refuted };
    let share = if near.losses > 0 { 6 } else { 3 };
    if open > 0 && unused * 10 >= open * share && context.has_sender_order {
        if near.peak_flight * 3 < context.flight_max {
            // As much as ever since a loss: what that left of the window is released by thirds (`tcp_tso_should_defer`).
            let is_cut = view.has_lost_before(i) && !slot.is_under_floor();
            return if is_cut {
                Label::new(Detail::PostLoss, 0.65).or(Limit::Application, decider)
            } else {
                Label::new(Detail::PacedWrites, 0.8)
            };
        }
        let label = Label::new(Cause::plain(Limit::SendBuffer), 0.85);
        // That the window had room, and no more, leaves the application as well.
        let is_proven = near.hoarded * 10 >= open && !is_random;
        return if is_proven { label } else { Label { confidence: 0.65, ..label }.or(Limit::Application, decider) };
    }
    if is_queued {
        return Label::new(Detail::Queue, 0.85);
    }
    if near.losses > 0 || view.has_lost_before(i) {
        return Label::new(Detail::PostLoss, 0.8);
    }
    if near.hoarded * 10 < open && is_growing(view, i, context) {
        return Label::new(Detail::DelayExit, 0.75);
    }
    if !near.is_busy() && is_flat(view, i, context) {
        // Several bursts in step with each round trip are a buffer's thirds, or writes that happen to divide it.
        let is_in_step = near.is_regular() && near.rtt().is_some_and(|rtt| near.period() * 17 <= rtt * 10);
        let other = if is_in_step { Limit::Application } else { Limit::CongestionWindow };
        return Label::new(Cause::plain(Limit::SendBuffer), 0.65).or(other, decider);
    }
    Label::new(Detail::Other, 0.55).or(Limit::SendBuffer, decider)
}

/// A pacing sender without pause sends what it takes the path to carry, as long as it has enough: gaps between its sends
/// say nothing of ACKs, and losses do not cut its window by rule.
fn paced_label(view: &View<'_>, i: usize, near: &Around, context: &Context) -> Option<Label> {
    let open = near.clocked + near.hoarded + near.burst + near.unreleased;
    let is_unbroken = near.rtt().is_some_and(|rtt| near.ack_gap_max * 4 <= rtt);
    let is_steady = is_unbroken || near.is_busy() || near.is_even(context.mss, context.rtt_min);
    if !context.is_pacing || !is_steady || near.hoarded * 10 >= open * 3 {
        return None;
    }
    // The little that a pacer's probing leaves standing is not what limits it.
    if near.is_inflated(view.slots[i].rtt_min, context.rtt_min) {
        return Some(Label::new(Detail::Queue, 0.85));
    }
    // Below what the path had carried, losses have cut a window that is merely sent out evenly (`fq`).
    let rate = near.acked as f64 / near.nanos.max(1) as f64;
    let best = || view.slots[..i].iter().map(Slot::carried).fold(view.carried_before, f64::max);
    let is_slowed = near.losses > 0 || view.has_lost_before(i) && rate < best() * 0.8;
    Some(if is_slowed { Label::new(Detail::PostLoss, 0.7) } else { Label::new(Detail::Paced, 0.8) })
}

/// The flight reaches half as much again as ever before since the last loss: slow start.
fn is_opening(view: &View<'_>, i: usize) -> bool {
    let Some(slot) = view.slots.get(i) else { return false };
    if view.is_from_start && i < 2 {
        return true;
    }
    let before = view.peaks_before[i];
    slot.retransmissions == 0 && slot.peak_flight * 2 >= before * 3 && slot.hoarded * 2 < slot.open().max(1)
}

/// The flight keeps its height for ten round trips or more although nothing was lost and no queue stood: a congestion
/// window that bound would have grown by half a segment a round trip at least (RFC 9438 §4.3, RFC 5681 §3.1).
fn is_flat(view: &View<'_>, i: usize, context: &Context) -> bool {
    let all = view.slots;
    let Some(rtt) = context.rtt_min else { return false };
    let has_lost = view.has_lost_before(i);
    // CUBIC stays near its last maximum for up to 2·∛(2/0.4) s after a loss (RFC 9438 §4.1).
    let needed = if has_lost { (rtt * 5).max(1_700_000_000) } else { rtt * 5 };
    let half = |indices: &mut dyn Iterator<Item = usize>| {
        let (mut nanos, mut peak, mut losses) = (0, 0_u64, 0);
        for k in indices {
            if all[k].definite * 2 > all[k].nanos() {
                break;
            }
            nanos += all[k].nanos();
            peak = peak.max(all[k].peak_flight);
            losses += all[k].retransmissions + all[k].holes;
            if nanos >= needed {
                break;
            }
        }
        (nanos >= needed && losses == 0).then_some(peak)
    };
    // The ten round trips may lie around the slot, before it or after it.
    [i, i.saturating_sub(5), i + 5].into_iter().any(|middle| {
        if middle >= all.len() {
            return false;
        }
        match (half(&mut (0..middle).rev()), half(&mut (middle..all.len()))) {
            (Some(before), Some(after)) => {
                after <= before + context.mss.max(before / 100) && before <= after + after / 3
            }
            _ => false,
        }
    })
}

/// The flight grows steadily and slowly although nothing was lost, as a congestion window does beyond slow start: something
/// had ended slow start, which without loss is rising delay (`HyStart`, RFC 9406). A buffer stands still or grows by leaps.
fn is_growing(view: &View<'_>, i: usize, context: &Context) -> bool {
    /// Round trips before and after that have to agree.
    const REACH: usize = 8;
    let all = view.slots;
    let is_usable = |s: &&Slot| !s.is_break() && s.holes == 0 && s.sends > 0;
    // A rest ends slow start as well: Linux keeps three quarters of the window for later (`tcp_cwnd_restart`).
    if all[..i].iter().skip_while(|s| s.sends == 0).any(Slot::is_break) {
        return false;
    }
    let before = all[..i].iter().rev().take_while(is_usable).take(REACH).count();
    let after = all[i..].iter().take_while(is_usable).take(REACH).count();
    let peaks = all[i - before..i + after].iter().map(|s| s.peak_flight as i64);
    let (mut up, mut down, mut last) = (0, 0, None);
    for peak in peaks {
        let step = peak - last.replace(peak).unwrap_or(peak);
        if step > 0 { up += step } else { down -= step }
    }
    // Reno and CUBIC grow by half a segment a round trip at least.
    before + after >= REACH && (up - down) * 2 >= (before + after) as i64 * context.mss as i64 && down * 4 <= up
}

/// The form that a full window took.
fn window_label(slot: &Slot, near: &Around, context: &Context) -> Label {
    if slot.has_zero_window {
        return Label::new(Detail::ZeroWindow, 0.95);
    }
    let offered = slot.windows.map_or(context.window_max, |w| w.1);
    let is_nearly_closed = slot.windows.is_some_and(|w| w.0 < context.mss) && context.window_max >= context.mss * 4;
    let is_closing = is_nearly_closed || near.edge_advance * 10 < near.acked * 8;
    if offered * 2 < context.window_max || is_closing && near.acked > 0 {
        return Label::new(Detail::SlowReader, 0.85);
    }
    if context.window_scale == WindowScale::NotNegotiated && context.window_max > 32_768 {
        return Label::new(Detail::NoWindowScale, 0.9);
    }
    if near.window_high > near.window_low + near.window_low / 4 && offered * 10 >= context.window_max * 8 {
        return Label::new(Detail::Ramp, 0.8);
    }
    if context.window_max >= LIKELY_AUTOTUNED && context.window_max >= context.window_first * 4 {
        return Label::new(Detail::Capped, 0.7);
    }
    Label::new(Detail::SmallBuffer, 0.85)
}
