//! Conversations: the script defines who asks and which message is an answer.
//!
//! A capture has to show that a push is not an answer. Therefore a push comes after a pause of more than 1 s,
//! or a few bytes that are always the same confirm it at once. Or both ends send several messages in a row.
//! For the same reason the preface of HTTP/2 is sent with the first request, and the server's settings with
//! its handshake.

use super::dice::Dice;
use super::draft::{Draft, SECONDS, micros};
use crate::{BitRate, Bytes, End, Part, Role, Talk, TalkKind, Utterance, Work};

/// Bytes that TLS adds to a message: a record's header, the type and the tag.
const TLS_OVERHEAD: u64 = 22;

/// Range of pauses after which a message is not an answer, seconds.
const REST: (f64, f64) = (1.1, 2.0);

/// Least rate of the line, bits per second. A full packet takes 0.6 ms on such a line, which the capture at
/// the far end counts as the server's time.
const LEAST_RATE: f64 = 20e6;

/// A conversation under construction.
struct Script {
    kind: TalkKind,
    client: End,
    tls: bool,
    rtt: f64,
    messages: Vec<Utterance>,
    seconds: f64,
    /// Approximate duration.
    planned: f64,
}

impl Script {
    fn new(kind: TalkKind, draft: &Draft, dice: &mut Dice) -> Self {
        let client = if dice.percent(75) { End::Receiver } else { End::Sender };
        let tls = dice.percent(60);
        let planned = dice.between(3.0, 5.5);
        let mut script = Self { kind, client, tls, rtt: draft.rtt, messages: Vec::new(), seconds: draft.rtt, planned };
        if tls {
            script.say(client, Role::Handshake, dice.between(300.0, 600.0), 0.0);
            script.say(client.other(), Role::Handshake, dice.between(1200.0, 4500.0), dice.log(0.0005, 0.005));
            if kind == TalkKind::Calls {
                script.say(client.other(), Role::Control, dice.between(15.0, 40.0), 0.0);
            }
            script.say(client, Role::Handshake, 80.0, 0.0);
        }
        script
    }

    const fn server(&self) -> End {
        self.client.other()
    }

    /// Adds a message of `bytes` without the overhead of TLS, `after` seconds after the last one.
    fn say(&mut self, by: End, role: Role, bytes: f64, after: f64) {
        let turns = self.messages.last().is_some_and(|last| last.by != by);
        let overhead = if self.tls { TLS_OVERHEAD } else { 0 };
        self.seconds += after + if turns { self.rtt / 2.0 } else { 0.0 };
        let bytes = Bytes(bytes as u64 + overhead);
        self.messages.push(Utterance { by, role, bytes, after: micros(after), unheard: false });
    }

    fn client_says(&mut self, role: Role, bytes: f64, after: f64) {
        self.say(self.client, role, bytes, after);
    }

    fn server_says(&mut self, role: Role, bytes: f64, after: f64) {
        self.say(self.server(), role, bytes, after);
    }

    const fn goes_on(&self) -> bool {
        self.seconds < self.planned
    }

    /// Adds a request and its answer, after a pause of the client.
    fn call(&mut self, rest: f64, answer: (f64, f64), dice: &mut Dice) {
        self.client_says(Role::Request, dice.log(60.0, 900.0), rest);
        self.server_says(Role::Answer, dice.log(answer.0, answer.1), service(dice));
    }

    /// Adds a message of a few bytes and an equal reply.
    fn ping(&mut self, by: End, bytes: f64, rest: f64) {
        self.say(by, Role::Heartbeat, bytes, rest);
        self.say(by.other(), Role::Heartbeat, bytes, 0.0);
    }

    fn write(self, mut draft: Draft) -> Draft {
        draft.sender.nodelay = true;
        draft.receiver.nodelay = true;
        draft.seconds = self.seconds.clamp(SECONDS.0, SECONDS.1);
        // The rates are conversations per second instead of bytes.
        draft.imposed = 1.0 / draft.seconds;
        draft.link.rate = Some(BitRate(draft.rate().max(LEAST_RATE) as u64));
        draft.others = draft.rate() / 8.0;
        let part = Part { times: 1, messages: self.messages };
        draft.work = Work::Talk(Talk { kind: self.kind, opener: self.client, tls: self.tls, parts: vec![part] });
        draft
    }
}

/// Time that a server computes, seconds.
fn service(dice: &mut Dice) -> f64 {
    dice.log(0.003, 0.25)
}

fn rest(dice: &mut Dice) -> f64 {
    dice.between(REST.0, REST.1)
}

/// A feed, calls, or messages of both ends, with pings between them.
pub(super) fn web_socket(draft: Draft, dice: &mut Dice) -> Draft {
    let mut script = Script::new(TalkKind::WebSocket, &draft, dice);
    // The upgrade request and its answer.
    script.call(0.0, (120.0, 300.0), dice);
    if dice.percent(15) {
        both_speak(&mut script, dice);
        return script.write(draft);
    }
    let (is_feed, is_asking) = *dice.pick(&[(true, false), (false, true), (true, true)]);
    let confirmation = dice.percent(80).then(|| dice.between(6.0, 40.0));
    let ping = dice.between(2.0, 14.0);
    while script.goes_on() {
        let pause = rest(dice);
        match dice.between(0.0, 4.0) as u32 {
            0 => script.ping(script.server(), ping, pause),
            1 | 2 if is_asking => script.call(dice.log(0.1, 1.5), (50.0, 8000.0), dice),
            _ => {
                script.server_says(Role::Push, dice.log(60.0, 4000.0), pause);
                if let Some(bytes) = confirmation.filter(|_| is_feed) {
                    script.client_says(Role::Acknowledgement, bytes, dice.log(0.0002, 0.003));
                }
            }
        }
    }
    if dice.percent(50) {
        let by = *dice.pick(&End::BOTH);
        script.say(by, Role::Goodbye, 8.0, rest(dice));
        script.say(by.other(), Role::Goodbye, 8.0, 0.0);
    }
    script.write(draft)
}

/// The client asks again as soon as it has its answer. The answer comes with news, or after a timeout.
pub(super) fn long_poll(draft: Draft, dice: &mut Dice) -> Draft {
    let mut script = Script::new(TalkKind::LongPoll, &draft, dice);
    if dice.percent(50) {
        // The page that polls.
        script.call(0.0, (2000.0, 30_000.0), dice);
    }
    let (request, patience, nothing) = (dice.log(200.0, 700.0), dice.between(1.2, 1.8), dice.between(120.0, 220.0));
    let again = dice.log(0.001, 0.02);
    let mut polls = 0;
    while script.goes_on() || polls < 3 {
        script.client_says(Role::Request, request, again);
        if dice.percent(60) {
            script.server_says(Role::News, dice.log(200.0, 3000.0), dice.between(0.3, patience));
        } else {
            script.server_says(Role::News, nothing, patience);
        }
        polls += 1;
    }
    script.write(draft)
}

/// The client asks once. Then the server pushes whenever it has something, and the client acknowledges each
/// push.
pub(super) fn subscription(draft: Draft, dice: &mut Dice) -> Draft {
    let mut script = Script::new(TalkKind::Subscription, &draft, dice);
    script.call(0.0, (20.0, 200.0), dice);
    let confirmation = dice.between(10.0, 40.0);
    while script.goes_on() {
        script.server_says(Role::Push, dice.log(80.0, 3000.0), dice.between(0.3, 2.0));
        script.client_says(Role::Acknowledgement, confirmation, dice.log(0.0002, 0.006));
    }
    script.write(draft)
}

/// Sizes of HTTP/2 frames, bytes.
const WINDOW_UPDATE: f64 = 13.0;
const PING: f64 = 17.0;
const GOAWAY: f64 = 25.0;

/// Calls on streams, several at a time, with frames of the connection itself between them.
pub(super) fn calls(draft: Draft, dice: &mut Dice) -> Draft {
    let mut script = Script::new(TalkKind::Calls, &draft, dice);
    // The preface, and the first call.
    script.client_says(Role::Control, dice.between(60.0, 100.0), 0.0);
    script.call(0.0, (60.0, 12_000.0), dice);
    let (updates, pings, bursts) = (dice.percent(50), dice.percent(40), dice.percent(50));
    let watches = dice.percent(25);
    while script.goes_on() {
        if watches && dice.percent(30) {
            script.server_says(Role::Push, dice.log(60.0, 2000.0), rest(dice));
            if updates {
                script.client_says(Role::Control, WINDOW_UPDATE, dice.log(0.0001, 0.001));
            }
            continue;
        }
        let pause = dice.log(0.03, 0.9);
        if bursts && dice.percent(40) {
            burst(&mut script, pause, dice);
        } else {
            script.call(pause, (60.0, 12_000.0), dice);
            for _ in 0..if dice.percent(25) { 2 } else { 0 } {
                // A stream answers in pieces.
                script.server_says(Role::Answer, dice.log(60.0, 4000.0), dice.log(0.005, 0.06));
            }
        }
        if updates && dice.percent(50) {
            script.client_says(Role::Control, WINDOW_UPDATE, dice.log(0.0001, 0.001));
        }
        if pings && dice.percent(40) {
            script.client_says(Role::Control, PING, dice.log(0.01, 0.3));
            script.server_says(Role::Control, PING, 0.0);
        }
    }
    if dice.percent(40) {
        script.say(*dice.pick(&End::BOTH), Role::Goodbye, GOAWAY, rest(dice));
    }
    script.write(draft)
}

/// Several calls at once: all requests are sent before the first answer.
fn burst(script: &mut Script, pause: f64, dice: &mut Dice) {
    let count = dice.between(2.0, 5.0) as u32;
    for number in 0..count {
        let after = if number == 0 { pause } else { dice.log(0.0005, 0.008) };
        script.client_says(Role::Request, dice.log(80.0, 500.0), after);
    }
    for number in 0..count {
        let after = if number == 0 { service(dice) } else { dice.log(0.001, 0.04) };
        script.server_says(Role::Answer, dice.log(60.0, 6000.0), after);
    }
}

/// Two people, or two programs, that send messages without asking.
pub(super) fn chat(draft: Draft, dice: &mut Dice) -> Draft {
    let mut script = Script::new(TalkKind::Chat, &draft, dice);
    both_speak(&mut script, dice);
    script.write(draft)
}

/// Messages of each end at independent times.
fn both_speak(script: &mut Script, dice: &mut Dice) {
    let begin = script.seconds;
    let mut said = Vec::new();
    for end in End::BOTH {
        let mut at = 0.0;
        loop {
            let rest = dice.log(0.25, 2.5);
            at += rest;
            if begin + at > script.planned {
                break;
            }
            said.push((at, end, rest, dice.log(20.0, 400.0)));
        }
    }
    // The sender's direction needs some data to be judged.
    said.push((begin + script.planned, End::Sender, rest(dice), 40.0));
    said.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut has_spoken = [false; 2];
    for (_, end, rest, bytes) in said {
        script.say(end, Role::Push, bytes, rest);
        // The first message waits for the answer to the earlier request.
        let unheard = std::mem::replace(&mut has_spoken[end.index()], true);
        if let Some(message) = script.messages.last_mut() {
            message.unheard = unheard;
        }
    }
    // Both ends pause at the same time.
    script.seconds = script.planned + REST.1;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{End, Role, Scenario, Talk, TalkKind, Work, random_talk};

    fn talk(scenario: Scenario) -> Talk {
        let Work::Talk(talk) = scenario.work else { unreachable!("a conversation") };
        talk
    }

    #[test]
    fn five_in_a_row_are_of_five_kinds() {
        let kinds: Vec<TalkKind> = (0..5).map(|index| talk(random_talk(0, index)).kind).collect();
        assert_eq!(
            kinds,
            TalkKind::ALL[..5].iter().copied().filter(|kind| *kind != TalkKind::Other).collect::<Vec<_>>()
        );
        let name = random_talk(7, 3);
        assert_eq!(
            (name.name.as_str(), name.story.source.as_str()),
            ("random-talk-7-3", "tcpwhy lab run random:talk:7, number 3")
        );
    }

    proptest! {
        /// The end that asks opens the connection, and each request has its answer; a chat has no requests.
        #[test]
        fn what_is_drawn_can_be_judged(seed: u64, index in 0_u32..1000) {
            let talk = talk(random_talk(seed, index));
            prop_assert_eq!(talk.client().is_none(), talk.kind == TalkKind::Chat);
            prop_assert!(talk.client().is_none_or(|client| client == talk.opener));
            let last = talk.messages().filter(|m| m.role == Role::Request || m.role.answers()).last();
            prop_assert!(last.is_none_or(|message| message.role.answers()));
            prop_assert!(End::BOTH.iter().all(|end| talk.bytes(*end) > 0) || talk.kind == TalkKind::Chat);
            let rests: u64 = talk.messages().filter(|message| !message.unheard).map(|message| message.after.0).sum();
            prop_assert!(rests < 10_000_000_000, "{rests} ns");
        }

        /// A push comes after 1 s, or is confirmed at once, or both ends send independently.
        #[test]
        fn a_push_is_no_answer(seed: u64, index in 0_u32..1000) {
            let talk = talk(random_talk(seed, index));
            let all: Vec<_> = talk.messages().collect();
            for (number, message) in all.iter().enumerate().filter(|(_, message)| message.role == Role::Push) {
                let is_confirmed = all.get(number + 1).is_some_and(|next| next.role == Role::Acknowledgement);
                let is_free = all.iter().any(|message| message.unheard);
                prop_assert!(message.after.0 > 1_000_000_000 || is_confirmed || is_free);
            }
        }
    }
}
