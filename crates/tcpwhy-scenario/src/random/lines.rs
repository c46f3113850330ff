//! Slow lines, and losses that follow bursts.

use super::dice::Dice;
use super::draft::{Draft, micros};
use super::formula::{self, MSS, path};
use crate::{BitRate, Bytes, Merged, Reader, Share, Writer};

/// Least capacity of a slow line's queue, bytes: Linux's first window of ten full frames.
const LEAST_QUEUE: f64 = 10.0 * 1538.0;
/// Least share of merged packets that can be lost and begin an episode of the sender. The first packet of
/// each train is never lost, and two losses within a round trip are one episode.
const LEAST_EPISODES: f64 = 0.25;

/// A line of 64 kbit/s to 10 Mbit/s, saturated by data for some seconds.
pub(super) fn slow_line(mut draft: Draft, dice: &mut Dice) -> Draft {
    let rate = dice.log(64e3, 10e6);
    draft.rtt = dice.log(0.005, 0.150);
    draft.link.rtt = micros(draft.rtt);
    draft.link.rate = Some(BitRate(rate as u64));
    draft.seconds = dice.between(4.0, 7.9);
    // Modems queue about a second of data. The end of the transfer drains from there after the last write.
    let queue = (rate / 8.0 * dice.log(0.3, 2.0).min(draft.seconds / 4.0)).max(LEAST_QUEUE);
    draft.link.queue = Some(Bytes(queue as u64));
    draft.imposed = path(rate);
    // The bytes that the buffers allow must exceed path and queue together.
    let product = rate / 8.0 * draft.rtt;
    draft.others = formula::autotuned(draft.rtt) * product / (product + queue);
    draft.streaming(path(rate), Writer::default(), Reader::default())
}

/// Merged packets are lost out of trains.
pub(super) fn merged_losses(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    // The share is rounded as it is in a file.
    let Share(chance) = format!("{:.3}%", dice.log(0.4, 6.0)).parse().ok()?;
    let frames = *dice.pick(&[2, 3, 4, 8]);
    (*dice.pick(&["cubic", "reno"])).clone_into(&mut draft.sender.congestion_control);
    draft.link.forward.lose_merged = Some(Merged { chance: Share(chance), frames });
    let episodes = chance / f64::from(frames);
    draft.imposed = formula::loss(draft.rtt, LEAST_EPISODES * episodes);
    let rate = formula::loss(draft.rtt, episodes);
    // A train of several merged packets fits into the window, and there are enough losses to be a rate.
    let is_train = rate * draft.rtt / MSS > 3.0 * f64::from(frames);
    let is_some = rate * draft.seconds / MSS * LEAST_EPISODES * episodes > 10.0;
    (is_train && is_some).then(|| draft.streaming(rate, Writer::default(), Reader::default()))
}
