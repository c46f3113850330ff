//! The causes that are drawn, and how each is set up.

use tcpwhy_kernel::WriteMode;
use tcpwhy_model::{Cause, Detail, Limit};

use super::dice::Dice;
use super::draft::{Draft, MARGIN, micros, plain_turns, turns};
use super::formula::{DELAYED_ACK, MSS, loss, path, receive_window, send_buffer_flight};
use super::size::{KIB, size};
use super::{ends, lines, talkers, writers};
use crate::{
    BitRate, Bytes, Change, DirectionSpec, End, Ending, Expected, ExpectedFix, ExpectedOutcome, Flow, Policer, Reader,
    Reset, Share, Turns, Work, Writer,
};

/// Bytes of receive buffer with which autotuning begins (`tcp_rmem[1]`); at least half of them are window.
const FIRST_WINDOW: f64 = 65_536.0;

/// The cause that limits a random transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RandomCause {
    /// `SO_SNDBUF` with `TCP_NODELAY`.
    SendBuffer,
    /// `SO_RCVBUF`.
    ReceiveBuffer,
    /// The application reads at a rate of its own.
    SlowReader,
    /// The application writes at a rate of its own.
    PacedWriter,
    /// The bottleneck's rate.
    Path,
    /// Random loss.
    Loss,
    /// Two writes and a read under Nagle's algorithm.
    Nagle,
    /// The application reads a portion, then pauses.
    StallingReader,
    /// No window scaling.
    NoWindowScale,
    /// Requests and responses with pauses.
    Turns,
    /// `tcp_rmem[2]`.
    CappedWindow,
    /// A token bucket without a queue.
    Policer,
    /// The application writes at a rate of its own, then more than its small send buffer takes.
    Phases,
    /// Flow control of a protocol above TCP.
    Credit,
    /// Blocks that are answered, several of them outstanding.
    Blocks,
    /// Requests that are sent ahead of their answers, which are the data.
    Pipeline,
    /// A large and a small write under Nagle's algorithm.
    NagleTail,
    /// `poll()` before each write into a small send buffer.
    Forwarder,
    /// Writes of random size with pauses of random length.
    RestingWriter,
    /// A small exchange at a steady pace.
    Heartbeats,
    /// A few answers, a silence, a few bytes and FIN.
    Goodbye,
    /// One end resets the connection during the transfer.
    Reset,
    /// The last request is never answered.
    Unanswered,
    /// Losses of merged packets.
    MergedLoss,
    /// A line of 64 kbit/s to 10 Mbit/s.
    SlowLine,
    /// An upgrade, then small messages, pings and pushes.
    WebSocket,
    /// The server keeps each request until it has news.
    LongPoll,
    /// One request, then pushes that are acknowledged.
    Subscription,
    /// Calls over HTTP/2, several at a time.
    Calls,
    /// Both ends send messages without requests.
    Chat,
}

impl RandomCause {
    /// All causes, in the order in which they alternate.
    pub(super) const ALL: [Self; 30] = [
        Self::SendBuffer,
        Self::ReceiveBuffer,
        Self::SlowReader,
        Self::PacedWriter,
        Self::Path,
        Self::Loss,
        Self::Nagle,
        Self::StallingReader,
        Self::NoWindowScale,
        Self::Turns,
        Self::CappedWindow,
        Self::Policer,
        Self::Phases,
        Self::Credit,
        Self::Blocks,
        Self::Pipeline,
        Self::NagleTail,
        Self::Forwarder,
        Self::RestingWriter,
        Self::Heartbeats,
        Self::Goodbye,
        Self::Reset,
        Self::Unanswered,
        Self::MergedLoss,
        Self::SlowLine,
        Self::WebSocket,
        Self::LongPoll,
        Self::Subscription,
        Self::Calls,
        Self::Chat,
    ];

    /// Causes whose exchanges are judged.
    pub(super) const CONVERSATIONS: [Self; 5] =
        [Self::WebSocket, Self::LongPoll, Self::Subscription, Self::Calls, Self::Chat];

    /// Whether its exchanges are judged.
    pub(super) fn is_conversation(self) -> bool {
        Self::CONVERSATIONS.contains(&self)
    }

    /// Verdicts that are correct for it, the intended one first.
    pub(super) fn verdicts(self, congestion_control: &str) -> Vec<Expected> {
        let plain = |limit| Expected::Cause(Cause::plain(limit));
        let with = |detail: Detail| Expected::Cause(detail.into());
        match self {
            Self::SendBuffer | Self::Forwarder => vec![plain(Limit::SendBuffer)],
            Self::ReceiveBuffer | Self::CappedWindow => vec![with(Detail::SmallBuffer), with(Detail::Capped)],
            Self::SlowReader | Self::StallingReader => vec![with(Detail::SlowReader), with(Detail::ZeroWindow)],
            Self::NoWindowScale => vec![with(Detail::NoWindowScale)],
            Self::PacedWriter | Self::RestingWriter => vec![plain(Limit::Application)],
            // The pauses of a conversation cannot be tuned away, so a verdict that nothing needs tuning is
            // correct too.
            Self::Turns | Self::Unanswered => vec![plain(Limit::Application), Expected::Nothing],
            Self::Heartbeats | Self::Goodbye => vec![Expected::Nothing],
            // These programs pause; in calls and answers the server's time may be reported.
            Self::WebSocket | Self::LongPoll | Self::Subscription | Self::Calls | Self::Chat => {
                vec![Expected::Nothing, plain(Limit::Application)]
            }
            // A saturated path needs no fix; BBR limits itself to its own estimate of the path.
            Self::Path | Self::Reset | Self::SlowLine if congestion_control == "bbr" => {
                vec![plain(Limit::Path), Expected::Nothing, with(Detail::Paced)]
            }
            Self::Path | Self::Reset | Self::SlowLine => vec![plain(Limit::Path), Expected::Nothing],
            Self::Loss | Self::MergedLoss => vec![with(Detail::PostLoss), plain(Limit::LossRecovery)],
            Self::Nagle | Self::NagleTail => vec![plain(Limit::AckDelay)],
            Self::Policer => vec![with(Detail::Policer), with(Detail::PostLoss), plain(Limit::LossRecovery)],
            Self::Phases => vec![plain(Limit::SendBuffer), plain(Limit::Application)],
            Self::Credit | Self::Blocks => vec![with(Detail::PeerWindow)],
            // The sender answers at once and cannot make the requests come sooner.
            Self::Pipeline => vec![with(Detail::PeerTurn), Expected::Nothing],
        }
    }

    /// The outcome that is expected of its transfer.
    pub(super) fn outcome(self, work: &Work) -> Option<ExpectedOutcome> {
        match (self, work.ending()) {
            (_, Some(Ending::Reset(Reset { by: End::Sender, .. }))) => Some(ExpectedOutcome::ResetBySender),
            (_, Some(Ending::Reset(Reset { by: End::Receiver, .. }))) => Some(ExpectedOutcome::ResetByReceiver),
            (_, Some(Ending::Unanswered(_))) => Some(ExpectedOutcome::Unanswered),
            (Self::Heartbeats | Self::Goodbye, _) => Some(ExpectedOutcome::Closed),
            _ => None,
        }
    }

    /// Fixes that remove it; `None` if there is no advice yet. If a verdict without a limit is correct, no
    /// fix is correct too.
    pub(super) fn fixes(self) -> Option<Vec<ExpectedFix>> {
        // A test shows that each id parses.
        Some(self.fix_ids()?.iter().filter_map(|id| id.parse().ok()).collect())
    }

    pub(super) const fn fix_ids(self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::SendBuffer | Self::Forwarder => &["remove-so-sndbuf", "raise-so-sndbuf"],
            Self::ReceiveBuffer => &["remove-so-rcvbuf", "raise-so-rcvbuf"],
            Self::CappedWindow => &["raise-tcp-rmem"],
            Self::SlowReader | Self::StallingReader => &["read-faster", "profile-receiver"],
            Self::NoWindowScale => &["enable-window-scaling"],
            Self::PacedWriter | Self::RestingWriter => &["write-more-ahead", "profile-application"],
            Self::Turns | Self::WebSocket | Self::Calls => &["none", "pipeline-requests", "profile-application"],
            Self::Path | Self::SlowLine => &["none", "raise-capacity"],
            Self::Loss | Self::MergedLoss => &["fix-loss", "use-bbr"],
            // An ACK without delay ends the wait of Nagle's algorithm too.
            Self::Nagle | Self::NagleTail => &["set-tcp-nodelay", "coalesce-writes", "quickack"],
            Self::Policer => &["shape-below-policer", "raise-capacity"],
            Self::Phases => &["remove-so-sndbuf", "raise-so-sndbuf", "write-more-ahead", "profile-application"],
            Self::Credit => &["raise-peer-window"],
            // More requests without an answer act like a larger window.
            Self::Blocks => &["raise-peer-window", "pipeline-requests"],
            Self::Pipeline => &["none", "pipeline-requests"],
            // A regular pace and a normal close need no fix.
            Self::Heartbeats | Self::Goodbye | Self::LongPoll | Self::Subscription | Self::Chat => &["none"],
            // Only the outcome of these is judged.
            Self::Reset | Self::Unanswered => return None,
        })
    }

    /// Sets the cause up in the draft; `None` if it cannot be the limit there.
    pub(super) fn impose(self, mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
        draft.sender.congestion_control.clear();
        match self {
            Self::SendBuffer => Some(send_buffer(draft, dice)),
            Self::ReceiveBuffer => Some(receive_buffer(draft, dice)),
            Self::SlowReader => slow_reader(draft, dice),
            Self::PacedWriter => paced_writer(draft, dice),
            Self::Path => Some(whole_path(draft, dice)),
            Self::Loss => losses(draft, dice),
            Self::Nagle => nagle(draft, dice),
            Self::StallingReader => stalling_reader(draft, dice),
            Self::NoWindowScale => Some(no_window_scale(draft, dice)),
            Self::Turns => conversation(draft, dice),
            Self::CappedWindow => Some(capped_window(draft, dice)),
            Self::Policer => policer(draft, dice),
            Self::Phases => phases(draft, dice),
            Self::Credit => Some(writers::credit(draft, dice)),
            Self::Blocks => writers::blocks(draft, dice),
            Self::Pipeline => writers::pipeline(draft, dice),
            Self::NagleTail => writers::nagle_tail(draft, dice),
            Self::Forwarder => Some(writers::forwarder(draft, dice)),
            Self::RestingWriter => writers::resting_writer(draft, dice),
            Self::Heartbeats => ends::heartbeats(draft, dice),
            Self::Goodbye => Some(ends::goodbye(draft, dice)),
            Self::Reset => ends::reset(whole_path(draft, dice), dice),
            Self::Unanswered => Some(ends::unanswered(draft, dice)),
            Self::MergedLoss => lines::merged_losses(draft, dice),
            Self::SlowLine => Some(lines::slow_line(draft, dice)),
            Self::WebSocket => Some(talkers::web_socket(draft, dice)),
            Self::LongPoll => Some(talkers::long_poll(draft, dice)),
            Self::Subscription => Some(talkers::subscription(draft, dice)),
            Self::Calls => Some(talkers::calls(draft, dice)),
            Self::Chat => Some(talkers::chat(draft, dice)),
        }
    }

    /// Whether its formula is valid for frames of 9,000 bytes too.
    pub(super) const fn allows_jumbo_frames(self) -> bool {
        matches!(self, Self::SlowReader | Self::PacedWriter | Self::Path | Self::Turns | Self::StallingReader)
    }

    /// Whether losses belong to it. Their repair then has to work as usual: without SACK it may take most of
    /// the time.
    pub(super) const fn has_losses(self) -> bool {
        matches!(self, Self::Loss | Self::Policer | Self::Path | Self::Reset | Self::MergedLoss | Self::SlowLine)
    }
}

fn send_buffer(mut draft: Draft, dice: &mut Dice) -> Draft {
    let asked = size(dice, 4.0 * KIB, 512.0 * KIB);
    let write = *dice.pick(&[1448, 4096, 8192, 16_384, writers::TLS_RECORD, 32_768, 65_536]);
    draft.sender.sndbuf = Some(Bytes(asked));
    // With Nagle's algorithm the unsent tail accepts data without a test of the buffer.
    draft.sender.nodelay = true;
    draft.imposed = send_buffer_flight(asked, write, WriteMode::Blocking) / draft.rtt;
    let rate = draft.imposed;
    draft.streaming(rate, Writer { size: Bytes(write), ..Writer::default() }, Reader::default())
}

fn receive_buffer(mut draft: Draft, dice: &mut Dice) -> Draft {
    let asked = size(dice, 8.0 * KIB, 1024.0 * KIB);
    let (least, most) = receive_window(asked);
    draft.receiver.rcvbuf = Some(Bytes(asked));
    draft.imposed = most / draft.rtt;
    let rate = least / draft.rtt;
    draft.streaming(rate, writers::bulk(dice), Reader::default())
}

fn no_window_scale(mut draft: Draft, dice: &mut Dice) -> Draft {
    let end = if dice.percent(50) { &mut draft.sender } else { &mut draft.receiver };
    end.sysctl.insert("net.ipv4.tcp_window_scaling".to_owned(), "0".to_owned());
    draft.imposed = 65_535.0 / draft.rtt;
    let rate = draft.imposed;
    draft.streaming(rate, writers::bulk(dice), Reader::default())
}

fn capped_window(mut draft: Draft, dice: &mut Dice) -> Draft {
    let most = dice.log(262_144.0, 1_500_000.0);
    draft.receiver.sysctl.insert("net.ipv4.tcp_rmem".to_owned(), format!("4096 131072 {most:.0}"));
    draft.imposed = 0.95 * most / draft.rtt;
    let rate = 0.5 * most / draft.rtt;
    draft.streaming(rate, writers::bulk(dice), Reader::default())
}

fn slow_reader(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let rate = dice.log(200e3, 15e6);
    let every = dice.log(0.005, 0.060);
    let (window, buffer) = if dice.percent(50) {
        let asked = size(dice, 32.0 * KIB, 512.0 * KIB);
        draft.receiver.rcvbuf = Some(Bytes(asked));
        (receive_window(asked).0, 2.0 * asked as f64)
    } else {
        // Autotuning doubles the bytes that a steady reader reads per round trip, and adds overhead.
        (FIRST_WINDOW, (4.0 * rate * draft.rtt).max(2.0 * FIRST_WINDOW))
    };
    draft.imposed = rate;
    draft.others = draft.others.min(window / draft.rtt);
    let portion = rate * every;
    // The buffer fills at once and stays full, and each portion leaves some data in it.
    if portion > window / 3.0 || rate * draft.seconds < 8.0 * buffer {
        return None;
    }
    let read = Reader {
        size: Bytes((portion / 2.0).max(1000.0) as u64),
        rate: Some(BitRate((rate * 8.0) as u64)),
        every: Some(micros(every)),
        ..Reader::default()
    };
    Some(draft.streaming(rate, writers::bulk(dice), read))
}

fn stalling_reader(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let asked = size(dice, 32.0 * KIB, 256.0 * KIB);
    let rest = dice.between(0.3, 1.5);
    let portions = dice.between(3.0, 6.0).floor();
    let (window, _) = receive_window(asked);
    let buffer = 2.0 * asked as f64;
    draft.others = draft.others.min(window / draft.rtt);
    let portion = (dice.between(3.0, 8.0) * buffer).round();
    // Time in which a portion arrives without pauses; the buffer fills within the pause.
    let coming = portion / draft.others;
    if buffer / draft.others > rest / 2.0 {
        return None;
    }
    draft.receiver.rcvbuf = Some(Bytes(asked));
    draft.imposed = portion / (coming + rest);
    draft.seconds = portions * (coming + rest);
    let read = Reader { portion: Some(Bytes(portion as u64)), every: Some(micros(rest)), ..Reader::default() };
    let rate = draft.imposed;
    Some(draft.streaming(rate, writers::bulk(dice), read))
}

fn paced_writer(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let rate = dice.log(20e3, 10e6);
    // A pace near the round trip is the hardest to distinguish from a buffer's limit.
    let every = if dice.percent(40) { draft.rtt * dice.between(0.8, 1.2) } else { dice.log(0.002, 0.080) };
    let portion = rate * every;
    // A portion fits into the first window of ten segments: with a larger one the congestion window would
    // limit first.
    if !(500.0..=10.0 * MSS).contains(&portion) || every < 0.001 {
        return None;
    }
    draft.sender.nodelay = true;
    draft.imposed = rate;
    let write = Writer {
        size: Bytes(portion as u64),
        rate: Some(BitRate((rate * 8.0) as u64)),
        every: Some(micros(every)),
        ..Writer::default()
    };
    Some(draft.streaming(rate, write, Reader::default()))
}

fn whole_path(mut draft: Draft, dice: &mut Dice) -> Draft {
    let mut least_queue = 100_000.0;
    // Within one building the line itself is the limit, and round trips are shorter than a timestamp's tick.
    if dice.percent(20) {
        draft.rtt = dice.log(0.0001, 0.001);
        draft.link.rtt = micros(draft.rtt);
        draft.link.rate = Some(BitRate(dice.log(50e6, 300e6) as u64));
        draft.seconds = dice.between(1.5, 3.0);
        // BBR keeps some super-packets in flight beyond twice the path's capacity. A queue that drops them
        // would make losses the limit.
        least_queue = 400_000.0;
    }
    let rate = draft.rate();
    let product = rate / 8.0 * draft.rtt;
    // A queue of one bandwidth-delay product keeps the path busy even while Reno recovers from a loss.
    let queue = (product * dice.between(1.0, 2.5)).max(least_queue);
    draft.link.queue = Some(Bytes(queue as u64));
    draft.imposed = path(rate);
    // The bytes that the buffers allow must exceed path and queue together.
    draft.others = super::formula::autotuned(draft.rtt) * product / (product + queue);
    // Competing traffic takes part of the line for a while. The queue is then shorter than the
    // bandwidth-delay product, so it drops.
    if dice.percent(30) {
        let less = rate * dice.between(0.4, 0.7);
        let step = |at: f64, rate: f64| Change {
            at: micros(at),
            flow: Flow::Forward,
            to: DirectionSpec { rate: Some(BitRate(rate as u64)), ..DirectionSpec::default() },
        };
        draft.link.changes = vec![step(draft.seconds * 0.3, less), step(draft.seconds * 0.7, rate)];
    }
    draft.streaming(path(rate), writers::bulk(dice), Reader::default())
}

/// Two causes, one after the other, of equal duration by their formulas.
fn phases(draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let paced = paced_writer(draft.clone(), dice)?;
    let (Work::Stream(first), mut draft) = (paced.work, send_buffer(draft, dice)) else { return None };
    // The buffer belongs to the whole connection, so it must not limit the paced writer.
    if draft.imposed < MARGIN * paced.imposed {
        return None;
    }
    let Work::Stream(stream) = &mut draft.work else { return None };
    stream.phases.splice(0..0, first.phases);
    let imposed = [Expected::Cause(Detail::PacedWrites.into()), Expected::Cause(Cause::plain(Limit::SendBuffer))];
    for (phase, imposed) in stream.phases.iter_mut().zip(imposed) {
        phase.bytes.0 /= 2;
        phase.imposes = Some(imposed);
    }
    Some(draft)
}

fn losses(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    // The share is rounded as it is in a file.
    let Share(share) = format!("{:.3}%", dice.log(0.1, 3.0)).parse().ok()?;
    (*dice.pick(&["cubic", "reno"])).clone_into(&mut draft.sender.congestion_control);
    draft.link.forward.loss = Some(Share(share));
    draft.imposed = loss(draft.rtt, share);
    let rate = draft.imposed;
    // There must be enough losses for a rate.
    let is_some = rate * draft.seconds / MSS * share > 20.0;
    is_some.then(|| draft.streaming(rate, writers::bulk(dice), Reader::default()))
}

fn policer(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let rate = dice.log(4e6, 100e6);
    let burst = (rate / 8.0 * dice.between(0.005, 0.040)).max(20_000.0);
    // Over longer round trips the sawtooth, not the policer, limits the rate for most of the time.
    if draft.rtt > 0.03 {
        return None;
    }
    "cubic".clone_into(&mut draft.sender.congestion_control);
    draft.link.forward.policer = Some(Policer { rate: BitRate(rate as u64), burst: Bytes(burst as u64) });
    draft.imposed = path(rate);
    let rate = draft.imposed;
    Some(draft.streaming(rate, writers::bulk(dice), Reader::default()))
}

fn nagle(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let turn = draft.rtt + DELAYED_ACK;
    let count = (draft.seconds / turn).max(1.0);
    let request = vec![Bytes(dice.log(20.0, 400.0) as u64), Bytes(dice.log(20.0, 900.0) as u64)];
    draft.sender.nodelay = false;
    draft.work = turns(Turns {
        sender_asks: true,
        count: count as u32,
        ahead: 1,
        request,
        response: vec![Bytes(dice.log(50.0, 1200.0) as u64)],
        ..plain_turns()
    });
    // The rates are turns per second instead of bytes.
    draft.imposed = 1.0 / turn;
    draft.others = 1.0 / draft.rtt;
    // Linux begins to delay ACKs of a young connection after ten turns.
    (count > 30.0).then_some(draft)
}

fn conversation(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let think = dice.log(0.005, 0.2);
    let service = dice.log(0.005, 0.2);
    let response = dice.log(200.0, 10.0 * MSS);
    let on_the_way = draft.rtt + response / path(draft.rate());
    let turn = think + service + on_the_way;
    let count = draft.seconds / turn;
    draft.work = turns(Turns {
        sender_asks: false,
        count: count.max(1.0) as u32,
        ahead: 1,
        request: vec![Bytes(dice.log(50.0, 1000.0) as u64)],
        response: vec![Bytes(response as u64)],
        think: micros(think),
        service: micros(service),
        ..plain_turns()
    });
    draft.sender.nodelay = true;
    draft.receiver.nodelay = true;
    draft.imposed = 1.0 / turn;
    draft.others = 1.0 / on_the_way;
    (count >= 8.0).then_some(draft)
}
