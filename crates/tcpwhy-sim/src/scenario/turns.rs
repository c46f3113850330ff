//! Requests and responses as loops.

use std::sync::Arc;

use tcpwhy_scenario::{Bytes, End, Ending, Turns};

use super::ending;
use super::parts::{READS, rest};
use crate::program::Step;

fn writes(parts: &[Bytes]) -> impl Iterator<Item = Step> + '_ {
    parts.iter().map(|part| Step::Write(part.0))
}

fn repeat(times: u32, steps: Vec<Step>) -> Step {
    Step::Repeat { times: times.into(), steps: Arc::from(steps) }
}

/// Steps of the program at `end`.
pub(super) fn steps(turns: &Turns, end: End) -> Vec<Step> {
    let mut steps = if end == turns.client() { client(turns) } else { server(turns) };
    steps.extend(ending::steps(turns.ending, turns.client(), end));
    steps
}

/// Sends as many requests ahead as allowed, then one after each answer.
fn client(turns: &Turns) -> Vec<Step> {
    let wait = turns.every.map(|every| Step::RestToBeat(every.0)).or(rest(turns.think));
    let asks: Vec<_> = wait.into_iter().chain(writes(&turns.request)).collect();
    let reads = Step::Read { bytes: turns.response_bytes(), size: READS };
    let ahead = turns.ahead.min(turns.count);
    let both = [reads.clone()].into_iter().chain(asks.iter().cloned()).collect();
    let answered = if matches!(turns.ending, Some(Ending::Unanswered(_))) { ahead - 1 } else { ahead };
    vec![Step::Mark, repeat(ahead, asks), repeat(turns.count - ahead, both), repeat(answered, vec![reads])]
}

fn server(turns: &Turns) -> Vec<Step> {
    let reads = Step::Read { bytes: turns.request_bytes(), size: READS };
    let answers = rest(turns.service).into_iter().chain(writes(&turns.response));
    let both = [reads.clone()].into_iter().chain(answers).collect();
    let answered = turns.answered().min(turns.count);
    vec![repeat(answered, both), repeat(turns.count - answered, vec![reads])]
}
