//! The messages of a conversation, and its exchanges.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Timestamp;

use super::rounding::{rounded, seconds};
use crate::work::Log;
use tcpwhy_scenario::{End, Role, Talk, TalkKind};

/// A conversation whose messages have known roles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conversation {
    /// The protocol that it imitates.
    pub kind: TalkKind,
    /// The end that sends requests; `None` if there are none.
    pub asks: Option<End>,
    /// Answered requests. Requests that follow each other before an answer count as one.
    pub exchanges: u64,
    /// Messages that are requests. There are more than `exchanges` if a request has several pieces, or if
    /// several requests are open at a time.
    pub requests: u64,
    /// Whether the server delays answers until it has news.
    pub is_held: bool,
    /// Sum of the times at the server from the last piece of a request to the first of its answer, seconds.
    /// `None` if requests cross answers, because the order then does not show which request is answered.
    pub server_s: Option<f64>,
    /// The same time for each exchange, seconds.
    pub each_s: Vec<f64>,
    /// All messages in the order of the script.
    pub messages: Vec<Message>,
}

/// A message as both programs noted it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The end that sent it.
    pub by: End,
    /// Its role in the conversation.
    pub role: Role,
    /// Payload bytes.
    pub bytes: u64,
    /// Time when its sender began to send it.
    pub said: Option<f64>,
    /// Time when the other end had read it.
    pub heard: Option<f64>,
}

/// A request with all its pieces and its answer, by their numbers in the script.
#[derive(Clone, Copy)]
struct Exchange {
    last_request: usize,
    first_answer: usize,
}

impl Conversation {
    pub(super) fn of(talk: &Talk, logs: &[Log; 2]) -> Self {
        let script: Vec<_> = talk.messages().collect();
        let exchanges = exchanges(&script.iter().map(|message| message.role).collect::<Vec<_>>());
        let (mut said, mut heard) = (vec![None; script.len()], vec![None; script.len()]);
        for log in logs {
            note(&mut said, &log.said);
            note(&mut heard, &log.heard);
        }
        let takes = |exchange: &Exchange| -> Option<f64> {
            let (from, to) = (heard[exchange.last_request]?, said[exchange.first_answer]?);
            Some(rounded(to.since(from) as f64 / 1e9, 6))
        };
        let is_crossing =
            script.iter().any(|message| message.unheard && (message.role == Role::Request || message.role.answers()));
        let each: Option<Vec<f64>> = exchanges.iter().map(takes).collect();
        let each_s = each.filter(|_| !is_crossing);
        let message = |(number, message): (usize, &tcpwhy_scenario::Utterance)| Message {
            by: message.by,
            role: message.role,
            bytes: message.bytes.0,
            said: said[number].map(seconds),
            heard: heard[number].map(seconds),
        };
        Self {
            kind: talk.kind,
            asks: talk.client(),
            exchanges: exchanges.len() as u64,
            requests: script.iter().filter(|message| message.role == Role::Request).count() as u64,
            is_held: script.iter().any(|message| message.role == Role::News),
            // The sum of an empty list is -0.
            server_s: each_s.as_ref().map(|each| rounded(each.iter().fold(0.0, |sum, nanos| sum + nanos), 6)),
            each_s: each_s.unwrap_or_default(),
            messages: script.iter().enumerate().map(message).collect(),
        }
    }
}

fn note(times: &mut [Option<Timestamp>], noted: &[(usize, Timestamp)]) {
    for &(number, time) in noted {
        times[number] = Some(time);
    }
}

/// Joins consecutive requests into one, and consecutive answers too.
fn exchanges(roles: &[Role]) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    let mut open = None;
    for (number, role) in roles.iter().enumerate() {
        if *role == Role::Request {
            open = Some(number);
        } else if role.answers()
            && let Some(last_request) = open.take()
        {
            exchanges.push(Exchange { last_request, first_answer: number });
        }
    }
    exchanges
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_scenario::{Scenario, Work};

    fn talk(messages: &[(&str, &str, bool)]) -> Talk {
        let message = |(by, role, unheard): &(&str, &str, bool)| {
            format!("{{ by = \"{by}\", role = \"{role}\", bytes = \"9B\", unheard = {unheard} }}")
        };
        let all: Vec<String> = messages.iter().map(message).collect();
        let text = format!("[work.talk]\nparts = [{{ messages = [{}] }}]", all.join(", "));
        let Work::Talk(talk) = Scenario::from_toml("test", &text).unwrap().work else { unreachable!("a conversation") };
        talk
    }

    /// The message with this number is sent at `number` squared, in milliseconds, and read 0.5 ms later.
    fn logs(talk: &Talk) -> [Log; 2] {
        let mut logs = [Log::default(), Log::default()];
        for (number, message) in talk.messages().enumerate() {
            let at = (number * number) as i64 * 1_000_000;
            logs[message.by.index()].said.push((number, Timestamp::from_nanos(at)));
            logs[message.by.other().index()].heard.push((number, Timestamp::from_nanos(at + 500_000)));
        }
        logs
    }

    #[test]
    fn requests_in_pieces_are_one_and_pushes_are_none() {
        let (client, server) = ("receiver", "sender");
        let talk = talk(&[
            (client, "request", false),
            (client, "request", false),
            (server, "answer", false),
            (server, "answer", false),
            (server, "push", false),
            (client, "acknowledgement", false),
            (client, "request", false),
            (server, "answer", false),
        ]);
        let truth = Conversation::of(&talk, &logs(&talk));
        assert_eq!((truth.asks, truth.exchanges, truth.requests), (Some(End::Receiver), 2, 3));
        // The times are 1.5 to 4 ms and 36.5 to 49 ms.
        assert_eq!((truth.each_s, truth.server_s), (vec![0.0025, 0.0125], Some(0.015)));
        assert!(!truth.is_held && truth.messages.len() == 8);
    }

    #[test]
    fn nothing_asked_is_no_exchange() {
        let talk = talk(&[("sender", "push", true), ("receiver", "push", true)]);
        let truth = Conversation::of(&talk, &logs(&talk));
        assert_eq!((truth.asks, truth.exchanges, truth.server_s), (None, 0, Some(0.0)));
    }

    #[test]
    fn what_crosses_has_no_time_and_news_is_held() {
        let crossing = talk(&[
            ("receiver", "request", false),
            ("sender", "answer", false),
            ("receiver", "request", true),
            ("sender", "answer", false),
        ]);
        assert_eq!(Conversation::of(&crossing, &logs(&crossing)).server_s, None);
        let polled = talk(&[("receiver", "request", false), ("sender", "news", false)]);
        let truth = Conversation::of(&polled, &logs(&polled));
        assert!(truth.is_held && truth.server_s == Some(0.0005));
    }
}
