//! The time between two samples.

use super::super::sampled::{clocks, parts};
use super::*;

type Found = Vec<(Cause, i64, f32)>;

const AGREED: f32 = 0.98;
const HALVED: f32 = 0.85;
const COUNTED: f32 = 0.95;
const UNSEEN_BY_SAMPLES: f32 = 0.7;

const REST: InstantLimit = InstantLimit { held: Some(Held::Idle), cause: Cause::plain(Limit::Application) };
const FULL: InstantLimit = InstantLimit { held: Some(Held::Sndbuf), cause: BUFFER };
const CLOSED: InstantLimit = InstantLimit { held: Some(Held::Rwnd), cause: WINDOW };
const QUEUE: Cause = Cause::plain(Limit::Path);
const BUSY: InstantLimit = InstantLimit { held: Some(Held::Cwnd), cause: QUEUE };

/// Two samples `nanos` apart, with so many milliseconds on the clocks of busy time and of the peer's window.
fn divided(instants: [InstantLimit; 2], nanos: i64, clocks: Option<[u64; 2]>, usual: Option<Cause>) -> Found {
    divided_of(instants, nanos, clocks, false, usual, |_| ())
}

fn divided_of(
    instants: [InstantLimit; 2],
    nanos: i64,
    clocks: Option<[u64; 2]>,
    has_sent: bool,
    usual: Option<Cause>,
    change: Change,
) -> Found {
    let [mut a, mut b] = [sample(0, |_| ()).socket, sample(0, |_| ()).socket];
    if let Some([busy, window]) = clocks {
        (a.info.busy_time, a.info.rwnd_limited) = (Some(7), Some(5));
        (b.info.busy_time, b.info.rwnd_limited) = (Some(7 + busy * 1000), Some(5 + window * 1000));
    }
    change(&mut b);
    let parts = parts(&a, &b, instants, nanos, has_sent, usual);
    parts.into_iter().flatten().filter(|part| part.nanos > 0).map(|p| (p.cause, p.nanos, p.confidence)).collect()
}

#[test]
fn a_rest_at_both_ends_is_a_rest_unless_something_was_sent() {
    let idle = |detail: Detail| InstantLimit { held: Some(Held::Idle), cause: detail.into() };
    let instants = [idle(Detail::Think), idle(Detail::Idle)];
    let rest = divided(instants, 9_000_000_001, None, None);
    assert_eq!(rest, [(Detail::Idle.into(), 9_000_000_001, AGREED)], "as the second sample shows it, however long");
    let sent = divided_of(instants, 101, None, true, None, |_| ());
    assert_eq!(sent, [(Detail::Think.into(), 50, HALVED), (Detail::Idle.into(), 51, HALVED)], "something was sent");
    for instants in [[REST, FULL], [FULL, REST]] {
        let half = divided(instants, 100, None, None);
        assert_eq!(half, [(instants[0].cause, 50, HALVED), (instants[1].cause, 50, HALVED)], "a rest at one end");
    }
}

/// `LONGEST`: a sample stands for 2.5 s to either side.
#[test]
fn a_sample_shows_nothing_of_what_is_far_away() {
    const LONGEST: i64 = 5_000_000_000;
    let near = divided([FULL, BUSY], LONGEST, None, None);
    assert_eq!(near, [(BUFFER, LONGEST / 2, HALVED), (QUEUE, LONGEST / 2, HALVED)]);
    let far = divided([FULL, BUSY], LONGEST + 3, Some([5003, 0]), None);
    assert_eq!(far, [(BUFFER, LONGEST / 2, HALVED), (UNSEEN, 3, AGREED), (QUEUE, LONGEST / 2, HALVED)]);
}

#[test]
fn each_sample_stands_for_its_half() {
    assert_eq!(divided([FULL, FULL], 101, None, None), [(BUFFER, 50, AGREED), (BUFFER, 51, AGREED)]);
    assert_eq!(divided([FULL, BUSY], 101, None, None), [(BUFFER, 50, HALVED), (QUEUE, 51, HALVED)]);
}

/// `CLOCKS_FROM`: 200 ms; one of them alone counts nothing.
#[test]
fn clocks_count_from_twenty_ticks_on() {
    const FROM: i64 = 200 * MILLISECOND;
    let short = divided([FULL, FULL], FROM - 1, Some([100, 0]), None);
    assert_eq!(short.iter().map(|part| part.1).sum::<i64>(), FROM - 1);
    assert!(short.iter().all(|part| part.0 == BUFFER), "{short:?}");
    let long = divided([FULL, FULL], FROM, Some([100, 0]), None);
    let half = FROM / 4;
    assert_eq!(
        long,
        [(BUFFER, half, AGREED), (Detail::Idle.into(), FROM / 2, COUNTED), (BUFFER, half, AGREED)],
        "from 200 ms on"
    );
    for unknown in [(|s| s.info.busy_time = None) as Change, |s| s.info.rwnd_limited = None] {
        let found = divided_of([FULL, FULL], FROM, Some([100, 0]), false, None, unknown);
        assert_eq!(found, [(BUFFER, FROM / 2, AGREED), (BUFFER, FROM / 2, AGREED)], "one clock alone");
    }
    let back = divided_of([FULL, FULL], FROM, Some([100, 0]), false, None, |s| s.info.busy_time = Some(6));
    assert_eq!(back.len(), 2, "a clock that goes back counts nothing");
}

/// A second, of which 600 ms are busy and 200 ms of that under the peer's window.
#[test]
fn clocks_divide_what_samples_show() {
    let clocks = Some([600, 200]);
    let second = 1000 * MILLISECOND;
    let found = |instants| -> Vec<(Cause, i64, f32)> {
        let in_millis = |(cause, nanos, confidence)| (cause, nanos / MILLISECOND, confidence);
        divided(instants, second, clocks, None).into_iter().map(in_millis).collect()
    };
    let zero = InstantLimit { held: Some(Held::Rwnd), cause: Detail::ZeroWindow.into() };
    let idle = Cause::from(Detail::Idle);
    assert_eq!(
        found([FULL, BUSY]),
        [(BUFFER, 200, HALVED), (idle, 400, COUNTED), (WINDOW, 200, COUNTED), (QUEUE, 200, HALVED)],
        "both samples busy"
    );
    assert_eq!(
        found([FULL, FULL]),
        [(BUFFER, 200, AGREED), (idle, 400, COUNTED), (WINDOW, 200, COUNTED), (BUFFER, 200, AGREED)],
        "both samples alike"
    );
    assert_eq!(
        found([FULL, REST]),
        [(BUFFER, 400, HALVED), (WINDOW, 200, COUNTED), (REST.cause, 400, COUNTED)],
        "the first busy: it comes first"
    );
    assert_eq!(
        found([REST, FULL]),
        [(REST.cause, 400, COUNTED), (WINDOW, 200, COUNTED), (BUFFER, 400, HALVED)],
        "the second busy: it comes last"
    );
    assert_eq!(
        found([FULL, CLOSED]),
        [(BUFFER, 400, HALVED), (WINDOW, 200, COUNTED), (idle, 400, COUNTED)],
        "what the window held, its clock counts"
    );
    assert_eq!(
        found([zero, FULL]),
        [(idle, 400, COUNTED), (zero.cause, 200, COUNTED), (BUFFER, 400, HALVED)],
        "the clock's time has the form that a sample shows"
    );
    assert_eq!(found([CLOSED, zero])[0].0, WINDOW, "the first sample's form");
}

/// Where the clock of the peer's window shows nothing, samples that saw the window hold count.
#[test]
fn a_window_without_a_clock_is_as_sampled() {
    let second = 1000 * MILLISECOND;
    let expected = |all: i64| -> Found {
        let half = all * MILLISECOND / 2;
        let rest = (Cause::from(Detail::Idle), second - all * MILLISECOND, COUNTED);
        vec![(WINDOW, half, AGREED), rest, (WINDOW, half, AGREED)]
    };
    assert_eq!(divided([CLOSED, CLOSED], second, Some([600, 0]), None), expected(600), "a clock of 0");
    let bbr: Change = |s| s.congestion_control = Some("bbr".to_owned());
    assert_eq!(
        divided_of([CLOSED, CLOSED], second, Some([600, 200]), false, None, bbr),
        expected(600),
        "the clock of a sender that paces"
    );
}

/// Busy time that no sample saw is what held before, or the application's.
#[test]
fn what_no_sample_saw_is_what_usually_holds() {
    let second = 1000 * MILLISECOND;
    let found = |usual, change| divided_of([REST, REST], second, Some([600, 200]), true, usual, change);
    let known = (WINDOW, 200 * MILLISECOND, COUNTED);
    let rest = (REST.cause, 400 * MILLISECOND, COUNTED);
    let unseen = |cause| vec![known, (cause, 400 * MILLISECOND, UNSEEN_BY_SAMPLES), rest];
    assert_eq!(found(Some(BUFFER), |_| ()), unseen(BUFFER), "what held before");
    assert_eq!(found(None, |_| ()), unseen(Detail::PacedWrites.into()), "nothing did");
    // Fifty words of the peer with little after each.
    let spoken: Change = |s| (s.info.bytes_received, s.info.data_segs_in) = (Some(500), Some(50));
    assert_eq!(found(None, spoken), unseen(Detail::PeerTurn.into()), "the peer spoke in between");
    assert_eq!(found(Some(BUFFER), spoken), unseen(BUFFER), "a limit is not renamed");
}

/// A rest that no sample shows has the name that the words in between give it.
#[test]
fn a_rest_that_no_sample_shows() {
    let second = 1000 * MILLISECOND;
    let idle = |change: Change| {
        let parts = divided_of([FULL, BUSY], second, Some([600, 0]), true, None, change);
        parts.iter().find(|part| part.2 == COUNTED).map(|part| part.0)
    };
    assert_eq!(idle(|_| ()), Some(Detail::Idle.into()), "nobody spoke");
    let wrote: Change = |s| (s.info.bytes_acked, s.info.last_data_sent) = (Some(90_000), Some(500));
    assert_eq!(idle(wrote), Some(Detail::PacedWrites.into()), "this side wrote");
    let spoken: Change = |s| (s.info.bytes_received, s.info.data_segs_in) = (Some(500), Some(50));
    assert_eq!(idle(spoken), Some(Detail::PeerTurn.into()), "the peer spoke");
}

/// What both samples show is renamed by the words in between.
#[test]
fn samples_are_renamed_by_the_words_between() {
    let paced = InstantLimit { held: Some(Held::App), cause: Detail::PacedWrites.into() };
    let spoken: Change = |s| (s.info.bytes_received, s.info.data_segs_in) = (Some(500), Some(50));
    let found = divided_of([paced, paced], 100, None, true, None, spoken);
    assert!(found.iter().all(|part| part.0 == Detail::PeerTurn.into()), "{found:?}");
}

/// `JIFFY`: less than 10 ms short of all is all.
#[test]
fn clocks_are_wrong_by_a_tick() {
    let found = |busy: u64, window: u64, nanos: i64| {
        let of = |busy, window| sample(0, |s| (s.info.busy_time, s.info.rwnd_limited) = (busy, window)).socket;
        clocks(&of(Some(1000), Some(500)), &of(Some(1000 + busy), Some(500 + window)), nanos)
    };
    let second = 1000 * MILLISECOND;
    assert_eq!(found(990_000, 0, second), Some((990 * MILLISECOND, 0)), "10 ms short");
    assert_eq!(found(990_001, 0, second), Some((second, 0)), "less");
    assert_eq!(found(500_000, 500_001, second), Some((second / 2, second / 2)), "no more window than busy");
    assert_eq!(found(2_000_000, 1_500_000, second), Some((second, second)), "no more than the time between");
}
