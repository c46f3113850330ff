//! Decides, slot by slot, what the gaps alone left open, from the evidence of the slots around.

use tcpwhy_model::{Cause, Decider, Detail, Limit, WindowScale};

use super::evidence::{Context, Evidence, View};
use super::slot::{Local, LocalInterval};
use super::thresholds::{AUTOTUNED_GROWTH, AUTOTUNED_LEAST, RAMP_GROWTH, RAMP_NEAR, UNSCALED_LEAST, part};

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

/// Labels slot `i`, whose `intervals` these are, one by one.
pub(crate) fn label_slot(
    view: &View<'_>,
    i: usize,
    intervals: &[LocalInterval],
    context: &Context,
    mut account: impl FnMut(Labelled),
) {
    let evidence = Evidence::new(view, i, context);
    let can_be_busy = evidence.can_be_busy();
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
    let e = &evidence;
    let slot = e.slot;
    let is_queued = e.is_queued();
    let open = open_label(e);
    let open = match open.cause.limit {
        // What the receiver offered is not known: its window may have been full.
        Limit::SendBuffer | Limit::CongestionWindow
            if context.window_scale == WindowScale::Unknown || slot.frees > 0 && slot.windows.is_none() =>
        {
            open.or(Limit::ReceiveWindow, Decider::Syn)
        }
        _ => open,
    };
    let window = window_label(e);
    let is_hoarding = context.has_sender_order && e.is_clean() && !e.is_room_seldom_unused();
    // Away from the sender, retransmissions and queues blur which ACK released what.
    let is_blurred = !context.has_sender_order
        || context.is_shifted && (e.has_losses() || e.is_busy() || is_queued || !e.is_mostly_unreleased());
    // A pacer's own pace is no application's.
    let is_pacers = context.is_pacing && open.cause.limit != Limit::SendBuffer;
    let is_own_pace = !(is_blurred || is_pacers || e.is_even() || e.is_repair());
    for (n, interval) in intervals.iter().enumerate() {
        let label = match interval.local {
            Local::Definite(cause) => Label::new(cause, 0.95),
            Local::WindowFull => window,
            Local::Tail if is_queued && e.is_busy() => Label::new(Detail::Queue, 0.8),
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

fn open_label(e: &Evidence<'_>) -> Label {
    let context = e.context;
    if e.is_slow_start() {
        if e.is_queued() && e.is_busy() {
            // The pipe is full: more window only lengthens the queue.
            return Label::new(Detail::Queue, 0.8);
        }
        return Label::new(Cause::plain(Limit::SlowStart), 0.8);
    }
    if e.is_window_bound() {
        return window_label(e);
    }
    if e.is_repair() {
        return Label::new(Detail::PostLoss, 0.7);
    }
    if e.is_paced_throughout() {
        // The little that a pacer's probing leaves standing is not what limits it.
        if e.is_inflated() {
            return Label::new(Detail::Queue, 0.85);
        }
        return if e.is_slowed_by_losses() {
            Label::new(Detail::PostLoss, 0.7)
        } else {
            Label::new(Detail::Paced, 0.8)
        };
    }
    let is_unreleased = e.is_mostly_unreleased() && context.has_sender_order;
    if e.has_own_rhythm() && !e.is_served() || is_unreleased && !e.is_even() && !(context.is_shifted && e.is_busy()) {
        return Label::new(Detail::PacedWrites, 0.8);
    }
    if e.is_even() {
        if e.is_queued() && e.is_busy() {
            return Label::new(Detail::Queue, 0.85);
        }
        if e.has_lost_before() && e.is_released_evenly() {
            // ACKs release evenly what a loss has left of the window.
            return Label::new(Detail::PostLoss, 0.7);
        }
        // A network card, a shaper or a pacing sender; an application that writes just so would look the same.
        return Label::new(Cause::plain(Limit::Path), 0.65).or(Limit::Application, Decider::LiveSampling);
    }
    // ACKs come faster than a writer wakes that waits for its buffer; but it fills the buffer again and again.
    let is_refilled = e.is_room_often_unused() && !e.slot.is_under_floor();
    if e.is_random() && !is_refilled && !e.is_saturated() {
        return Label::new(Detail::PacedWrites, 0.7);
    }
    if e.can_show_waits() && (e.is_waiting() || e.is_never_prompt()) {
        return Label::new(Detail::PacedWrites, 0.65).or(Limit::SendBuffer, Decider::SenderCapture);
    }
    // The window is not smaller than it was without a loss, ACKs come without pause, as they do not to a writer that waits for
    // its buffer, no queue stands, and yet less is under way, in an even rhythm: nothing but the application is left.
    let is_less = e.slot.is_under_floor() && !e.has_losses() && !e.has_lost_before();
    let is_steady = e.is_regular() && e.is_busy() && e.is_room_seldom_unused();
    if is_less && is_steady && !e.is_queued() && !context.is_pacing {
        return Label::new(Detail::PacedWrites, 0.7);
    }
    // The window had been wider, a full buffer would show, and the path gave more: it was not asked for more.
    if e.leaves_path_idle() {
        if context.is_pacing {
            // What a buffer frees goes out at the pacer's pace: nothing is seen to wait.
            return Label::new(Cause::plain(Limit::SendBuffer), 0.65)
                .or(Limit::CongestionWindow, Decider::LiveSampling);
        }
        return Label::new(Detail::PacedWrites, 0.7);
    }
    // A buffer that is full above a standing queue: more would only lengthen the queue.
    if e.is_queued() && e.is_busy() {
        return Label::new(Detail::Queue, 0.85);
    }
    let decider = if context.is_shifted { Decider::SenderCapture } else { Decider::LiveSampling };
    if e.leaves_room_unused() {
        if e.is_far_below() {
            // As much as ever since a loss: what that left of the window is released by thirds (`tcp_tso_should_defer`).
            let is_cut = e.has_lost_before() && !e.slot.is_under_floor();
            return if is_cut {
                Label::new(Detail::PostLoss, 0.65).or(Limit::Application, decider)
            } else {
                Label::new(Detail::PacedWrites, 0.8)
            };
        }
        let label = Label::new(Cause::plain(Limit::SendBuffer), 0.85);
        // That the window had room, and no more, leaves the application as well.
        let is_proven = !e.is_room_seldom_unused() && !e.is_random();
        return if is_proven { label } else { Label { confidence: 0.65, ..label }.or(Limit::Application, decider) };
    }
    if e.is_queued() {
        return Label::new(Detail::Queue, 0.85);
    }
    if e.has_losses() || e.has_lost_before() {
        return Label::new(Detail::PostLoss, 0.8);
    }
    if e.is_room_seldom_unused() && e.is_growing_slowly() {
        return Label::new(Detail::DelayExit, 0.75);
    }
    if !e.is_busy() && e.is_flat() {
        // Several bursts in step with each round trip are a buffer's thirds, or writes that happen to divide it.
        let other = if e.is_in_step() { Limit::Application } else { Limit::CongestionWindow };
        return Label::new(Cause::plain(Limit::SendBuffer), 0.65).or(other, decider);
    }
    Label::new(Detail::Other, 0.55).or(Limit::SendBuffer, decider)
}

/// The form that a full window took.
fn window_label(e: &Evidence<'_>) -> Label {
    let (near, context) = (e.near(), e.context);
    if e.slot.has_zero_window {
        return Label::new(Detail::ZeroWindow, 0.95);
    }
    if e.is_window_shrinking() {
        return Label::new(Detail::SlowReader, 0.85);
    }
    if context.window_scale == WindowScale::NotNegotiated && context.window_max > UNSCALED_LEAST {
        return Label::new(Detail::NoWindowScale, 0.9);
    }
    if near.window_high > near.window_low + RAMP_GROWTH.of(near.window_low)
        && part(e.offered(), context.window_max) >= RAMP_NEAR
    {
        return Label::new(Detail::Ramp, 0.8);
    }
    if context.window_max >= AUTOTUNED_LEAST && part(context.window_max, context.window_first) >= AUTOTUNED_GROWTH {
        return Label::new(Detail::Capped, 0.7);
    }
    Label::new(Detail::SmallBuffer, 0.85)
}
