//! Conversations as loops.

use std::sync::Arc;

use tcpwhy_scenario::{End, Part, Talk};

use super::{ending, rest};
use crate::program::Step;

/// Maximum bytes per read of the lab's programs in a conversation.
const READS: u64 = 4096;

/// Steps of the program at `end`: it sends its messages of the script, and reads all earlier ones of the
/// peer.
pub(super) fn steps(talk: &Talk, end: End) -> Vec<Step> {
    let mut steps = Vec::new();
    // Unread messages of the peer.
    let mut unread = Vec::new();
    for part in &talk.parts {
        let listens = part.messages.iter().any(|message| message.by == end && !message.unheard);
        if listens {
            // Messages that are unread after the first repetition are unread after each.
            steps.extend(once(part, end, &mut unread));
            let others = once(part, end, &mut unread.clone());
            steps.push(repeat(part.times - 1, others));
        } else {
            let mut heard = Vec::new();
            let said = once(part, end, &mut heard);
            steps.push(repeat(part.times, said));
            unread.push(repeat(part.times, heard));
        }
    }
    steps.extend(unread);
    steps.extend(ending::steps(None, talk.opener, end));
    steps
}

fn repeat(times: u32, steps: Vec<Step>) -> Step {
    Step::Repeat { times: times.into(), steps: Arc::from(steps) }
}

fn once(part: &Part, end: End, unread: &mut Vec<Step>) -> Vec<Step> {
    let mut steps = Vec::new();
    for message in &part.messages {
        if message.by != end {
            unread.push(Step::Read { bytes: message.bytes.0, size: READS });
            continue;
        }
        if !message.unheard {
            steps.append(unread);
        }
        steps.extend(rest(message.after));
        steps.push(Step::Write(message.bytes.0));
    }
    steps
}
