//! Quiet connections, and connections with an unusual end.

use super::dice::Dice;
use super::draft::{Draft, micros, plain_turns, turns};
use crate::{Bytes, End, Ending, Goodbye, Reset, Turns, Unanswered, Work};

/// A small exchange at a steady pace, started by either end.
pub(super) fn heartbeats(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let every = dice.log(0.3, 1.5);
    draft.seconds = dice.between(4.0, 7.5);
    let count = draft.seconds / every;
    draft.work = turns(Turns { every: Some(micros(every)), ..small_turns(count, dice) });
    // The rates are exchanges per second instead of bytes.
    draft.imposed = 1.0 / every;
    draft.others = 1.0 / draft.rtt;
    (count >= 5.0).then_some(draft)
}

/// A few answers that fit into the first window, a silence, and a last message with FIN from either end.
pub(super) fn goodbye(mut draft: Draft, dice: &mut Dice) -> Draft {
    let silence = dice.between(2.0, 5.5);
    let goodbye = Goodbye { by: either(dice), after: micros(silence), bytes: Bytes(dice.log(24.0, 150.0) as u64) };
    quiet(&mut draft, silence, Ending::Goodbye(goodbye), dice);
    draft
}

/// A few answers, then a request that the server's program never answers.
pub(super) fn unanswered(mut draft: Draft, dice: &mut Dice) -> Draft {
    let patience = dice.between(2.0, 5.5);
    quiet(&mut draft, patience, Ending::Unanswered(Unanswered { patience: micros(patience) }), dice);
    draft
}

/// Another limit applies until one end resets the transfer.
pub(super) fn reset(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let Work::Stream(stream) = &mut draft.work else { return None };
    let after = Bytes(stream.bytes());
    // The stream is longer than the bytes before the reset.
    stream.phases.iter_mut().for_each(|phase| phase.bytes.0 = (phase.bytes.0 as f64 * dice.between(1.2, 3.0)) as u64);
    stream.ending = Some(Ending::Reset(Reset { by: either(dice), after }));
    Some(draft)
}

/// Some turns, then `seconds` of silence.
fn quiet(draft: &mut Draft, seconds: f64, ending: Ending, dice: &mut Dice) {
    let count = dice.between(2.0, 8.0);
    draft.work = turns(Turns { ending: Some(ending), ..small_turns(count, dice) });
    draft.seconds = seconds + count.floor() * draft.rtt;
    draft.imposed = 1.0 / seconds;
    draft.others = 1.0 / draft.rtt;
}

/// Turns that fit into the first window, started by either end.
fn small_turns(count: f64, dice: &mut Dice) -> Turns {
    Turns {
        sender_asks: dice.percent(50),
        count: count as u32,
        request: vec![Bytes(dice.log(20.0, 600.0) as u64)],
        response: vec![Bytes(dice.log(20.0, 4000.0) as u64)],
        ..plain_turns()
    }
}

fn either(dice: &mut Dice) -> End {
    *dice.pick(&End::BOTH)
}
