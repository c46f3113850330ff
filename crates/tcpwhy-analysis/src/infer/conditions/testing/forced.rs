//! Tests that each condition matters. If it is forced to be true, or to be false, some random transfer loses
//! time under its expected limit.

use tcpwhy_model::{Cause, LimitTimeline, Segment};
use tcpwhy_testkit::Transfer;

use super::forcing;
use crate::infer::hypotheses::testing::{concluded, packets};

/// The condition, its forced value, the transfer (that of the hypothesis which needs it, or of [`drawn`]),
/// and the expected cause.
type Row = (&'static str, bool, &'static str, &'static str);

/// Minimum loss, as a share of all time.
const LEAST: f64 = 0.03;

const TRUE: bool = true;
const FALSE: bool = false;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("answers_late", TRUE, "flight_below_window", "send_buffer"),
    ("are_acks_late", TRUE, "capped", "receive_window/capped"),
    ("are_segments_small", FALSE, "small_segments_leave", "application/paced_writes"),
    ("are_segments_small", TRUE, "burst_of_unreleased", "congestion_window/other"),
    ("are_writes_coalesced", TRUE, "own_rhythm", "application/paced_writes"),
    ("awaits_peer", FALSE, "peer_grants", "application/peer_window"),
    ("awaits_peer", TRUE, "flat", "send_buffer"),
    ("can_be_busy", FALSE, "queue_under_last_flight", "path/queue"),
    ("can_show_waits", FALSE, "path_rests_before_sends", "application/paced_writes"),
    ("follows_acks", TRUE, "far_below_flight", "application/paced_writes"),
    ("has_losses", FALSE, "window_full", "congestion_window/post_loss"),
    ("has_losses", TRUE, "flat", "send_buffer"),
    ("has_lost_before", FALSE, "released_evenly_after_loss", "congestion_window/post_loss"),
    ("has_lost_before", TRUE, "sends_by_chance", "path"),
    ("has_no_wake_level", FALSE, "no_wake_level", "application/paced_writes"),
    ("has_no_wake_level", TRUE, "flight_below_window", "send_buffer"),
    ("has_own_rhythm", FALSE, "own_rhythm", "application/paced_writes"),
    ("has_own_rhythm", TRUE, "flight_below_window", "send_buffer"),
    ("is_backed_up", FALSE, "backed_up", "path/queue"),
    ("is_backed_up", TRUE, "sends_by_chance", "congestion_window/post_loss"),
    ("is_below_buffer", FALSE, "released_by_thirds_after_loss", "congestion_window/post_loss"),
    ("is_below_buffer", TRUE, "unused_now_and_then", "send_buffer"),
    ("is_below_smallest", TRUE, "flat", "send_buffer"),
    ("is_busy", FALSE, "queue_under_last_flight", "path/queue"),
    ("is_busy", TRUE, "flat", "send_buffer"),
    ("is_clean", FALSE, "unused_now_and_then", "send_buffer"),
    ("is_clean", TRUE, "repairs_all_around", "congestion_window/post_loss"),
    ("is_even", FALSE, "sends_by_chance", "path"),
    ("is_even", TRUE, "flat", "send_buffer"),
    ("is_far_below", FALSE, "released_by_thirds_after_loss", "congestion_window/post_loss"),
    ("is_far_below", TRUE, "flight_below_window", "send_buffer"),
    ("is_flat", FALSE, "flat", "send_buffer"),
    ("is_flat", TRUE, "burst_of_unreleased", "congestion_window/other"),
    ("is_foretold", FALSE, "never_prompt", "application/paced_writes"),
    ("is_granted", FALSE, "peer_grants", "application/peer_window"),
    ("is_granted", TRUE, "peer_releases", "application/peer_turn"),
    ("is_growing_slowly", FALSE, "window_under_pacer", "congestion_window/delay_exit"),
    ("is_growing_slowly", TRUE, "flat", "send_buffer"),
    ("is_inflated", FALSE, "queue_under_last_flight", "path/queue"),
    ("is_inflated", TRUE, "flat", "send_buffer"),
    ("is_mostly_unreleased", FALSE, "small_segments_leave", "application/paced_writes"),
    ("is_mostly_unreleased", TRUE, "flat", "send_buffer"),
    ("is_lossy", TRUE, "unreleased_send", "application/paced_writes"),
    ("is_never_empty", FALSE, "queue_never_empties", "path/queue"),
    ("is_never_empty", TRUE, "sends_by_chance", "congestion_window/post_loss"),
    ("is_never_prompt", FALSE, "never_prompt", "application/paced_writes"),
    ("is_never_prompt", TRUE, "flight_below_window", "send_buffer"),
    ("is_opening", FALSE, "flat", "slow_start"),
    ("is_opening", TRUE, "flat", "send_buffer"),
    ("is_paced_throughout", FALSE, "window_under_pacer", "receive_window/small_buffer"),
    ("is_paced_throughout", TRUE, "flat", "send_buffer"),
    ("is_path_idle", FALSE, "path_left_idle", "application/paced_writes"),
    ("is_path_idle", TRUE, "sends_by_chance", "congestion_window/post_loss"),
    ("is_paced_through_losses", FALSE, "pacer_through_repairs", "congestion_window/paced"),
    ("is_paced_through_losses", TRUE, "repairs_all_around", "congestion_window/post_loss"),
    ("keeps_its_pace", FALSE, "pacer_through_repairs", "congestion_window/paced"),
    ("keeps_its_pace", TRUE, "pacer_slowed_by_loss", "congestion_window/post_loss"),
    ("is_probing", FALSE, "window_under_pacer", "congestion_window/paced"),
    ("is_probing", TRUE, "window_under_pacer", "receive_window/small_buffer"),
    ("is_queued", FALSE, "queue_under_last_flight", "path/queue"),
    ("is_queued", TRUE, "flat", "send_buffer"),
    ("is_random", FALSE, "sends_by_chance", "application/paced_writes"),
    ("is_random", TRUE, "flat", "send_buffer"),
    ("is_reader_awaited", FALSE, "window_zero", "receive_window/slow_reader"),
    ("is_reader_awaited", TRUE, "capped", "receive_window/capped"),
    ("is_regular", FALSE, "less_in_rhythm", "application/paced_writes"),
    ("is_regular", TRUE, "flight_below_window", "send_buffer"),
    ("is_released_evenly", FALSE, "released_evenly_after_loss", "congestion_window/post_loss"),
    ("is_released_evenly", TRUE, "even_spacing", "path"),
    ("is_repair", FALSE, "repairs_all_around", "congestion_window/post_loss"),
    ("is_repair", TRUE, "flat", "send_buffer"),
    ("is_room_seldom_unused", FALSE, "path_left_idle", "application/paced_writes"),
    ("is_room_seldom_unused", TRUE, "unused_now_and_then", "send_buffer"),
    ("is_round", FALSE, "own_rhythm", "application/paced_writes"),
    ("is_round", TRUE, "sends_by_chance", "path"),
    ("is_saturated", TRUE, "sends_by_chance", "application/paced_writes"),
    ("is_served", TRUE, "own_rhythm", "application/paced_writes"),
    ("holds_more_than_path", FALSE, "more_than_path_holds", "path/queue"),
    ("holds_more_than_path", TRUE, "flat", "send_buffer"),
    ("is_slow_start", FALSE, "flat", "slow_start"),
    ("is_slow_start", TRUE, "flat", "send_buffer"),
    ("is_slowed_by_losses", FALSE, "pacer_slowed_by_loss", "congestion_window/post_loss"),
    ("is_slowed_by_losses", TRUE, "window_under_pacer", "receive_window/small_buffer"),
    ("is_unbroken", TRUE, "window_under_pacer", "congestion_window/delay_exit"),
    ("is_waiting", FALSE, "path_rests_before_sends", "application/paced_writes"),
    ("is_waiting", TRUE, "flight_below_window", "send_buffer"),
    ("is_window_bound", FALSE, "between_closings", "receive_window/small_buffer"),
    ("is_window_bound", TRUE, "flat", "send_buffer"),
    ("is_window_shrinking", FALSE, "window_zero", "receive_window/slow_reader"),
    ("is_window_shrinking", TRUE, "capped", "receive_window/capped"),
    ("leaves_path_idle", FALSE, "path_left_idle", "application/paced_writes"),
    ("leaves_path_idle", TRUE, "flat", "send_buffer"),
    ("leaves_room_unused", FALSE, "flight_below_window", "send_buffer"),
    ("leaves_room_unused", TRUE, "burst_of_unreleased", "congestion_window/other"),
    ("may_grow_back", FALSE, "sends_by_chance", "congestion_window/post_loss"),
    ("may_grow_back", TRUE, "flat", "send_buffer"),
    ("reaches_edge", FALSE, "window_under_pacer", "receive_window/small_buffer"),
    ("reaches_edge", TRUE, "window_under_pacer", "application/paced_writes"),
    ("rests_end_with_acks", TRUE, "own_rhythm", "application/paced_writes"),
    ("was_cut_by_mark", FALSE, "marks", "congestion_window/post_mark"),
    ("was_cut_by_mark", TRUE, "sends_by_chance", "congestion_window/post_loss"),
];

/// Conditions that no random transfer needs, and the reason. Other tests cover their terms and the hypotheses
/// that use them.
#[rustfmt::skip]
const TURN_NOTHING: &[(&str, bool, &str)] = &[
    ("answers_late", FALSE, "holds in no drawn transfer"),
    ("are_acks_late", FALSE, "holds in no drawn transfer"),
    ("are_writes_coalesced", FALSE, "holds in no drawn transfer"),
    ("can_be_busy", TRUE, "is_busy needs as many ACKs"),
    ("can_show_waits", TRUE, "no drawn writer waits at the sender, beside losses or on a busy path"),
    ("follows_acks", FALSE, "no drawn writer waits for its buffer after it held three times as much"),
    ("is_below_smallest", FALSE, "holds in no drawn transfer"),
    ("rests_end_with_acks", FALSE, "no drawn pacer waits for its buffer"),
    ("is_foretold", TRUE, "holds in each drawn transfer in which it is asked"),
    ("is_lossy", FALSE, "holds in no drawn transfer"),
    ("is_serialised", FALSE, "holds in no drawn transfer"),
    ("is_serialised", TRUE, "no drawn transfer sends single segments evenly but for it"),
    ("is_queue_beyond_rhythm", FALSE, "asked in no drawn transfer"),
    ("is_queue_beyond_rhythm", TRUE, "asked in no drawn transfer"),
    ("is_room_often_unused", FALSE, "no drawn transfer fills its buffer by chance"),
    ("is_room_often_unused", TRUE, "no drawn slow start goes on after a slow round without it"),
    ("is_saturated", FALSE, "holds in no drawn transfer"),
    ("is_served", FALSE, "holds in no drawn transfer"),
    ("is_unbroken", FALSE, "is_busy or is_even holds in its place"),
    ("is_window_level", FALSE, "no drawn receiver sets its buffer after the handshake"),
    ("is_window_level", TRUE, "each drawn slow reader is awaited as well"),
];

/// Packets of transfers that no hypothesis needs.
fn drawn(name: &str) -> Vec<Segment> {
    match name {
        "marks" => Transfer { marked_every: Some(200), ..Transfer::default() }.run(),
        "backed_up" => Transfer {
            rtt: 10_350_000,
            bytes: 14_598_000,
            rate: Some(tcpwhy_testkit::mbit(200)),
            mss: 8948,
            lost: vec![118, 540],
            delays_acks: false,
            capture: tcpwhy_testkit::Capture::Receiver,
            ..Transfer::default()
        }
        .run(),
        "capped" => Transfer {
            rtt: 19_920_000,
            bytes: 2_354_407,
            rate: Some(tcpwhy_testkit::mbit(50)),
            queue: 88_997,
            mss: 8948,
            send_buffer: Some(156_963),
            delays_acks: false,
            offload: Some(65_160),
            capture: tcpwhy_testkit::Capture::Middle,
            ..Transfer::default()
        }
        .run(),
        "flat" => Transfer {
            rtt: 2_840_000,
            bytes: 187_611,
            rate: Some(tcpwhy_testkit::mbit(8)),
            mss: 8948,
            send_buffer: Some(18_947),
            delays_acks: false,
            ..Transfer::default()
        }
        .run(),
        name => packets(name),
    }
}

/// Sources that name conditions.
const SOURCES: [&str; 7] = [
    include_str!("../mod.rs"),
    include_str!("../flight.rs"),
    include_str!("../queue.rs"),
    include_str!("../rhythm.rs"),
    include_str!("../room.rs"),
    include_str!("../since_loss.rs"),
    include_str!("../words.rs"),
];

/// All conditions, with both forced values.
fn conditions() -> Vec<(&'static str, bool)> {
    let named = SOURCES.into_iter().flat_map(|source| source.split("named(\"").chain(source.split("once(\"")));
    let mut names: Vec<_> = named.filter_map(|part| part.split_once('"')).map(|(name, _)| name).collect();
    names.retain(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !name.is_empty());
    names.sort_unstable();
    names.dedup();
    names.into_iter().flat_map(|name| [(name, FALSE), (name, TRUE)]).collect()
}

#[test]
fn each_condition_is_forced_both_ways() {
    let listed = ROWS.iter().map(|&(condition, is, ..)| (condition, is));
    let listed: Vec<_> = listed.chain(TURN_NOTHING.iter().map(|&(condition, is, _)| (condition, is))).collect();
    let all = conditions();
    let missing: Vec<_> = all.iter().filter(|one| !listed.contains(one)).collect();
    assert!(missing.is_empty(), "no transfer shows that these matter: {missing:?}");
    let unknown: Vec<_> = listed.iter().filter(|one| !all.contains(one)).collect();
    assert!(unknown.is_empty() && listed.len() == all.len(), "no condition, or listed twice: {unknown:?}");
}

fn name(cause: Cause) -> String {
    let detail = cause.detail.map(|detail| format!("/{}", detail.id())).unwrap_or_default();
    format!("{}{detail}", cause.limit.id())
}

/// Share of all time under the cause of this name.
fn share(limits: &LimitTimeline, cause: &str) -> f64 {
    let under = limits.totals().into_iter().filter(|total| name(total.cause) == cause).map(|total| total.nanos);
    under.sum::<i64>() as f64 / limits.span().nanos().max(1) as f64
}

#[test]
fn each_condition_takes_time_from_what_is_expected() {
    let mut transfers: Vec<_> = ROWS.iter().map(|row| row.2).collect();
    transfers.sort_unstable();
    transfers.dedup();
    for transfer in transfers {
        let packets = drawn(transfer);
        let half = concluded(&packets);
        for &(condition, is, _, expected) in ROWS.iter().filter(|row| row.2 == transfer) {
            let forced = forcing(&[(condition, is)], || concluded(&packets));
            let [with, without] = [&half, &forced].map(|half| share(&half.limits, expected));
            assert!(
                with - without >= LEAST,
                "{transfer}: {expected} is expected, {with:.2} of the time; {condition} forced to {is} leaves {without:.2}"
            );
        }
    }
}
