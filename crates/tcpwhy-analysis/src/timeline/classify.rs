//! Decides, slot by slot, what the gaps alone left open, from the evidence of the slots around.

use tcpwhy_model::{Cause, Decider, Detail, Limit, WindowScale};

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
    /// The order of sends and ACKs at the sender is known.
    pub(crate) has_sender_order: bool,
    /// The sender spaces its segments by its own estimate of the path.
    pub(crate) is_pacing: bool,
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

/// Slots on either side that a slot is judged with.
const REACH: usize = 3;
/// Fewer ACKs tell nothing of a busy path.
const LEAST_FREES: u32 = 20;

/// Sums over a neighbourhood of slots.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    clocked: i64,
    hoarded: i64,
    unreleased: i64,
    burst: i64,
    window_full: i64,
    sends: u32,
    partial: u32,
    sent: u64,
    losses: u32,
    bursts: u32,
    multi: u32,
    comb_period_sum: i64,
    combs: u32,
    evens: u32,
    releases: u32,
    ack_time: i64,
    ack_covered: i64,
    ack_time_squared: f64,
    nanos: i64,
    ack_gap_max: i64,
    frees: u32,
    holes: u32,
    /// Time whose flight stayed well under what the congestion window had allowed before.
    refuted: i64,
    peak_flight: u64,
    rtt_sum: i64,
    rtt_count: u32,
    acked: u64,
    edge_advance: u64,
    window_low: u64,
    window_high: u64,
    /// Least [`Slot::echo_excess`] and [`Slot::echo_wait`], and of how many slots.
    echo_excess: u32,
    echo_wait: u32,
    echoes: u32,
}

impl Around {
    fn rtt(&self) -> Option<i64> {
        (self.rtt_count > 0).then(|| self.rtt_sum / i64::from(self.rtt_count))
    }

    fn period(&self) -> i64 {
        self.comb_period_sum / i64::from(self.combs.max(1))
    }

    /// Losses were repaired for most of the time: the gaps between two repairs are too short to tell of anything else.
    fn is_repair(&self) -> bool {
        let others = self.clocked + self.hoarded + self.unreleased + self.burst + self.window_full;
        self.losses > 0 && others * 2 < self.nanos
    }

    /// Sends that no ACK released outweigh the others.
    fn is_mostly_unreleased(&self) -> bool {
        self.unreleased > self.clocked + self.hoarded + self.burst / 2
    }

    /// Bursts come at a fixed period, longer than a pacer's.
    fn is_regular(&self) -> bool {
        self.bursts >= 5 && self.combs * 10 >= self.bursts * 7 && self.period() >= 2_500_000
    }

    /// Bursts come at a fixed period that is not the path's. What ACKs release repeats every round trip, so an even
    /// rhythm of theirs divides it; and a writer that waits for a third of its buffer gets no more than a few turns in one.
    fn is_comb(&self, is_shifted: bool, base: Option<i64>) -> bool {
        if !self.is_regular() {
            return false;
        }
        // Where each send follows an ACK far more closely than chance would have it, the rhythm is that of the ACKs.
        if !is_shifted && self.releases * 10 >= self.bursts * 9 && self.ack_covered * 20 < self.ack_time {
            return false;
        }
        let Some(rtt) = self.rtt() else { return false };
        let turns = rtt as f64 / self.period().max(1) as f64;
        let is_foreign = turns >= 4.5 || turns >= 1.7 && (turns - turns.round()).abs() > 0.2;
        is_foreign || !is_shifted && self.is_round(base)
    }

    /// Bursts come every whole number of milliseconds: people set timers so, pacers have no reason to, and a path only
    /// when that is its round trip.
    fn is_round(&self, base: Option<i64>) -> bool {
        let off = self.period().rem_euclid(1_000_000);
        let is_round_trip = base.is_some_and(|rtt| (self.period() - rtt).abs() * 25 <= rtt);
        self.period() >= 2_500_000 && off.min(1_000_000 - off) <= 30_000 && !is_round_trip
    }

    /// Single segments follow each other at a constant pace, many in a round trip: a serialiser or a pacer, which Linux
    /// lets send about every millisecond, two segments at least (`tcp_tso_autosize`).
    fn is_even(&self, mss: u64, base: Option<i64>) -> bool {
        self.bursts >= 6
            && self.evens * 10 >= self.bursts * 6
            && self.multi * 4 <= self.bursts
            && self.partial * 4 <= self.bursts
            && self.rtt().is_some_and(|rtt| self.period() * 10 <= rtt * 4)
            && !self.is_round(base)
            && (self.period() <= 2_500_000 || self.sent <= u64::from(self.bursts) * mss * 2)
    }

    /// ACKs come without pause: something on the path serves at its full rate.
    fn is_busy(&self) -> bool {
        if self.frees < LEAST_FREES {
            return false;
        }
        let mean = self.ack_time / i64::from(self.frees);
        // What is nothing against a round trip is no pause.
        let small = self.rtt().map_or(0, |r| r / 6).min(1_600_000);
        // A server at work spaces evenly: the squares of the gaps stay near the square of their mean.
        let spread = self.ack_time_squared * f64::from(self.frees) / (self.ack_time as f64 / 1e6).powi(2);
        // A single pause in all that time does not make it idle.
        let pause = (4 * mean + small).max(self.ack_time / 20);
        self.ack_gap_max <= small || self.ack_gap_max <= pause && spread <= 1.7
    }

    /// A queue stands at the bottleneck.
    fn is_queued(&self, rtt: Option<i64>, base: Option<i64>) -> bool {
        let is_unbroken = self.is_busy() || self.rtt().is_some_and(|rtt| self.ack_gap_max * 4 <= rtt);
        self.is_inflated(rtt, base) || is_unbroken && base.is_some_and(|base| self.is_never_empty(base))
    }

    /// Round trips take longer than the path needs, and ACKs never pause for long.
    fn is_inflated(&self, rtt: Option<i64>, base: Option<i64>) -> bool {
        let (Some(rtt), Some(base)) = (rtt, base) else { return false };
        if self.is_busy() {
            rtt - base > (base * 3 / 10).max(1_000_000)
        } else {
            self.frees >= 20 && self.ack_gap_max <= rtt / 8 && rtt - base > (base / 10).max(5_000_000)
        }
    }

    /// Away from the sender: in all that time, how much longer than ever the promptest data took after the ACK that it
    /// answers, nanoseconds.
    fn excess(&self) -> Option<i64> {
        (self.echoes >= 3).then(|| (i64::from(self.echo_excess) - 1) * 1000)
    }

    /// Not once in several round trips did data come through without waiting: a queue that never empties, longer than a
    /// twentieth of the round trip (the target of `CoDel`, RFC 8289 §4.4) and than what is sent at a time explains.
    fn is_never_empty(&self, base: i64) -> bool {
        let spacing = self.ack_time / i64::from(self.frees.max(1));
        // Holes without any loss: data is delayed one by one on the way.
        let is_reordered = self.holes > 0 && self.losses == 0;
        !is_reordered && self.excess().is_some_and(|e| e >= (base / 20).max(1_000_000) && e >= spacing * 2)
    }

    /// Each time the sender let the path rest before it answered: its own pace, no ACK released it.
    fn is_waiting(&self, base: i64) -> bool {
        let wait = i64::from(self.echo_wait) * 1000;
        self.combs * 10 >= self.bursts * 7 && self.echoes >= 3 && wait >= (base / 50).max(500_000)
    }

    /// Sends fall as close behind ACKs as random ones would.
    fn is_random(&self) -> bool {
        // Where ACKs come faster than a writer wakes, every send is close behind one.
        let spacing = self.ack_time / i64::from(self.frees.max(1));
        self.releases >= 6 && spacing >= 50_000 && self.ack_covered * 10 >= self.ack_time * 4
    }
}

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
    let known = |local| match local {
        Local::Definite(cause) if !context.is_one_sided || cause.limit == Limit::Handshake => {
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
    if intervals.iter().all(|x| known(x.local).is_some()) {
        // What is around does not matter.
        for interval in intervals {
            if let Some(label) = known(interval.local) {
                give(interval.end, label, false);
            }
        }
        last.map(labelled).map(account);
        return;
    }
    let slot = &all[i];
    let near = around(all, i, REACH, context);
    let open = open_label(view, i, &near, context);
    let open = match open.cause.limit {
        // What the receiver offered is not known: its window may have been full.
        Limit::SendBuffer | Limit::CongestionWindow
            if context.window_scale == WindowScale::Unknown || slot.frees > 0 && slot.window_max.is_none() =>
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
    let is_queued = near.is_queued(slot.rtt_min, context.rtt_min);
    for (n, interval) in intervals.iter().enumerate() {
        let label = match interval.local {
            Local::Definite(cause) => Label::new(cause, 0.95),
            Local::WindowFull => window,
            Local::Tail if is_queued && near.is_busy() => Label::new(Detail::Queue, 0.8),
            Local::Tail => Label::new(Cause::plain(Limit::TailRtt), 0.9),
            // Away from the sender, retransmissions and queues blur which ACK released what.
            Local::Unreleased if near.is_even(context.mss, context.rtt_min) => open,
            Local::Unreleased if near.is_repair() => open,
            // A pacer's own pace is no application's.
            Local::Unreleased if context.is_pacing && open.cause.limit != Limit::SendBuffer => open,
            Local::Unreleased
                if !context.has_sender_order
                    || context.is_shifted
                        && (near.losses > 0 || near.is_busy() || is_queued || !near.is_mostly_unreleased()) =>
            {
                open
            }
            Local::Unreleased => Label::new(Detail::PacedWrites, 0.8),
            // Seldom, but again and again: then there was nothing to send, whatever bound the rest of the time.
            Local::Hoarded if is_hoarding && open.cause.limit == Limit::CongestionWindow => {
                Label::new(Cause::plain(Limit::SendBuffer), 0.65)
            }
            Local::Clocked | Local::Hoarded => open,
            Local::Burst => match intervals[n + 1..].iter().find(|x| x.local != Local::Burst).map(|x| x.local) {
                Some(Local::Unreleased) if !context.is_pacing => Label::new(Detail::PacedWrites, 0.7),
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

fn neighbours(all: &[Slot], i: usize, reach: usize) -> &[Slot] {
    &all[i.saturating_sub(reach)..(i + reach + 1).min(all.len())]
}

fn around(all: &[Slot], i: usize, reach: usize, context: &Context) -> Around {
    let mut sum = Around::default();
    for s in neighbours(all, i, reach) {
        sum.clocked += s.clocked;
        sum.hoarded += s.hoarded;
        sum.unreleased += s.unreleased;
        sum.burst += s.burst;
        sum.window_full += s.window_full;
        sum.sends += s.sends;
        sum.partial += s.partial_sends;
        sum.sent += s.sent;
        sum.losses += s.retransmissions;
        sum.bursts += s.bursts;
        sum.multi += s.multi_send_bursts;
        sum.comb_period_sum += s.comb_period_sum;
        sum.combs += s.comb_matches;
        sum.evens += s.even_matches;
        sum.releases += s.releases;
        sum.ack_time += s.ack_time;
        sum.ack_covered += s.ack_covered;
        sum.ack_time_squared += s.ack_time_squared;
        sum.nanos += s.nanos();
        sum.ack_gap_max = sum.ack_gap_max.max(s.ack_gap_max);
        sum.frees += s.frees;
        if s.echo_excess > 0 {
            sum.echo_excess = if sum.echoes == 0 { s.echo_excess } else { sum.echo_excess.min(s.echo_excess) };
            sum.echo_wait = if sum.echoes == 0 { s.echo_wait } else { sum.echo_wait.min(s.echo_wait) };
            sum.echoes += 1;
        }
        sum.holes += s.holes;
        // Where each ACK can be seen to release its send, a writer that waits for its buffer would show.
        let is_resolved = !context.is_shifted && s.frees >= 6 && s.hoarded * 10 < s.open();
        if s.is_under_floor() && !is_resolved {
            sum.refuted += s.clocked + s.burst;
        }
        sum.peak_flight = sum.peak_flight.max(s.peak_flight);
        sum.rtt_sum += s.rtt_sum;
        sum.rtt_count += s.rtt_count;
        sum.acked += s.acked;
        sum.edge_advance += s.edge_advance;
        if let (Some(low), Some(high)) = (s.window_max, s.window_max) {
            sum.window_low = if sum.window_low == 0 { low } else { sum.window_low.min(low) };
            sum.window_high = sum.window_high.max(high);
        }
    }
    sum
}

fn open_label(view: &View<'_>, i: usize, near: &Around, context: &Context) -> Label {
    let slot = &view.slots[i];
    let open = near.clocked + near.hoarded + near.burst;
    // One slow round does not end slow start.
    let is_between = near.losses == 0 && (is_opening(view, i + 1) || is_opening(view, i + 2));
    let is_queued = near.is_queued(slot.rtt_min, context.rtt_min);
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
    // A slow link spaces what it serves evenly as well, though never to the tick.
    let is_served = (near.is_busy() || is_queued) && near.combs * 10 < near.bursts * 9;
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
    if !context.is_shifted && near.is_random() {
        return Label::new(Detail::PacedWrites, 0.7);
    }
    if context.is_shifted
        && near.losses == 0
        && !near.is_busy()
        && !is_queued
        && context.rtt_min.is_some_and(|base| near.is_waiting(base))
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
    let rate = near.acked as f64 * 1e9 / near.nanos.max(1) as f64;
    let is_idle_path = context.train_rate.is_some_and(|train| rate < train / 2.0);
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
            return Label::new(Detail::PacedWrites, 0.8);
        }
        let label = Label::new(Cause::plain(Limit::SendBuffer), 0.85);
        // That the window had room, and no more, leaves the application as well.
        let is_proven = near.hoarded * 10 >= open;
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
    let offered = slot.window_max.unwrap_or(context.window_max);
    let is_nearly_closed = slot.window_min.is_some_and(|w| w < context.mss) && context.window_max >= context.mss * 4;
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
