//! Programs that write as protocols and forwarders do: with windows of their own, ahead of answers, after
//! `poll()`, or at irregular times.

use tcpwhy_kernel::WriteMode;

use super::dice::Dice;
use super::draft::{Draft, SECONDS, micros, plain_turns, turns};
use super::formula::{DELAYED_ACK, MSS, path, peer_window, send_buffer_flight, slow_start};
use super::size::{KIB, size};
use crate::{Bytes, Credit, Reader, Turns, Varies, Waits, Work, Writer};

/// A TLS 1.3 record of the largest size: header, data, content type and authentication tag (RFC 8446 §5.2).
pub(super) const TLS_RECORD: u64 = 5 + 16_384 + 1 + 16;

/// Bytes that TLS adds to a small message: a record without its data.
const TLS_OVERHEAD: u64 = TLS_RECORD - 16_384;

/// Writes of programs that always have more data: most in blocks of 64 KiB, some in TLS records.
pub(super) fn bulk(dice: &mut Dice) -> Writer {
    let write = if dice.percent(50) { 65_536 } else { *dice.pick(&[8192, TLS_RECORD, TLS_RECORD, 32_768, 131_072]) };
    Writer { size: Bytes(write), ..Writer::default() }
}

/// Flow control as in HTTP/2, gRPC and SSH.
pub(super) fn credit(mut draft: Draft, dice: &mut Dice) -> Draft {
    let window = if dice.percent(40) { 65_535 } else { size(dice, 16.0 * KIB, 1400.0 * KIB) };
    let streams = if dice.percent(60) { 1 } else { dice.between(2.0, 7.0).round() as u32 };
    // Several streams send at once, or share the window of the connection.
    let all = u64::from(streams) * window;
    let shared = (streams > 1 && dice.percent(50)).then(|| Bytes(all * 2 / 3));
    let frame = (*dice.pick(&[8192, 16_384, 16_384, 32_768])).min(window);
    let after = match *dice.pick(&[0, 0, 0, 1, 2]) {
        0 => None,
        1 => Some(Bytes(frame)),
        _ => Some(Bytes(window)),
    };
    // Without encryption, or with each message in a record of its own.
    let overhead = if dice.percent(50) { TLS_OVERHEAD } else { 0 };
    // The programs of all these protocols switch Nagle's algorithm off.
    draft.sender.nodelay = true;
    draft.receiver.nodelay = true;
    let flight = shared.map_or(all, |shared| shared.0.min(all)) as f64;
    draft.imposed = flight / draft.rtt;
    let rate = peer_window(flight, draft.rtt, draft.rate());
    let mut draft = draft.streaming(rate, Writer { size: Bytes(frame), ..Writer::default() }, Reader::default());
    if let Work::Stream(stream) = &mut draft.work {
        stream.credit = Some(Credit {
            window: Bytes(window),
            connection_window: shared,
            after,
            grant: Bytes(13 + overhead),
            header: Bytes(9 + overhead),
            streams,
        });
    }
    draft
}

/// Blocks that are answered, several of them outstanding, as SFTP and block storage do.
pub(super) fn blocks(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let ahead = *dice.pick(&[2, 4, 8, 16, 32, 64]);
    let block = size(dice, 4.0 * KIB, 64.0 * KIB) + dice.log(13.0, 80.0) as u64;
    let flight = u64::from(ahead) * block;
    let rate = peer_window(flight as f64, draft.rtt, draft.rate());
    let count = rate * draft.seconds / block as f64;
    draft.work = turns(Turns {
        sender_asks: true,
        count: count as u32,
        ahead,
        request: vec![Bytes(block)],
        response: vec![Bytes(dice.log(17.0, 100.0) as u64)],
        ..plain_turns()
    });
    draft.sender.nodelay = true;
    draft.receiver.nodelay = true;
    draft.imposed = flight as f64 / draft.rtt;
    // The transfer has at least ten round trips of full windows.
    (count >= 10.0 * f64::from(ahead)).then_some(draft)
}

/// Requests ahead of their answers, or one request for several rows at a time: the sender answers.
pub(super) fn pipeline(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let ahead = *dice.pick(&[1, 1, 2, 4, 8, 16]);
    let response = dice.log(200.0, 40_000.0) as u64;
    let flight = u64::from(ahead) * response;
    let rate = peer_window(flight as f64, draft.rtt, draft.rate());
    let count = rate * draft.seconds / response as f64;
    draft.work = turns(Turns {
        sender_asks: false,
        count: count as u32,
        ahead,
        request: vec![Bytes(dice.log(20.0, 300.0) as u64)],
        response: vec![Bytes(response)],
        ..plain_turns()
    });
    draft.sender.nodelay = true;
    draft.receiver.nodelay = true;
    draft.imposed = flight as f64 / draft.rtt;
    (count >= 10.0 * f64::from(ahead)).then_some(draft)
}

/// A block and a small remainder. Nagle's algorithm delays the remainder until the block's end is
/// acknowledged.
pub(super) fn nagle_tail(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let block = *dice.pick(&[4096, 8192, 16_384, 32_768, 32_768, 65_536]);
    let more = dice.log(20.0, 400.0) as u64;
    let sending = block as f64 / path(draft.rate());
    // The ACK of the block's end takes a round trip. Only then the last bytes are sent, which takes another
    // one.
    let turn = 2.0 * draft.rtt + sending;
    // The receiver delays the ACK if the end of a block comes alone, as it does for some blocks.
    let count = draft.seconds / (turn + DELAYED_ACK / 2.0);
    draft.sender.nodelay = false;
    draft.receiver.nodelay = true;
    // BBR paces the block's end, so the few bytes are appended to it before it leaves.
    (*dice.pick(&["cubic", "reno"])).clone_into(&mut draft.sender.congestion_control);
    draft.work = turns(Turns {
        sender_asks: true,
        count: count.max(1.0) as u32,
        ahead: 1,
        request: vec![Bytes(block), Bytes(more)],
        response: vec![Bytes(dice.log(17.0, 100.0) as u64)],
        ..plain_turns()
    });
    draft.imposed = 1.0 / turn;
    draft.others = 1.0 / (draft.rtt + sending);
    // The run is long enough even if no ACK is delayed.
    (count >= 20.0 && count * turn >= SECONDS.0).then_some(draft)
}

/// A program that forwards data: `poll()`, then a write of as much as fits a small send buffer.
pub(super) fn forwarder(mut draft: Draft, dice: &mut Dice) -> Draft {
    let asked = size(dice, 4.0 * KIB, 256.0 * KIB);
    let write = *dice.pick(&[4096, 8192, 8192, 8192, 16_384]);
    draft.sender.sndbuf = Some(Bytes(asked));
    // With Nagle's algorithm the unsent tail accepts data without a test of the buffer.
    draft.sender.nodelay = true;
    draft.imposed = send_buffer_flight(asked, write, WriteMode::Polling) / draft.rtt;
    let rate = draft.imposed;
    let write = Writer { size: Bytes(write), waits: Waits::Poll, ..Writer::default() };
    draft.streaming(rate, write, Reader::default())
}

/// A program that writes at irregular times: any size, any pause.
pub(super) fn resting_writer(mut draft: Draft, dice: &mut Dice) -> Option<Draft> {
    let varies = *dice.pick(&[Varies::Uniform, Varies::Log, Varies::Log]);
    let portion = dice.log(500.0, 60_000.0);
    let rest = dice.log(0.004, 0.120);
    let largest = portion * varies.factor(1.0);
    // The largest portion is delivered long before the next one is written, so the window does not limit.
    if slow_start(largest.max(10.0 * MSS), draft.rtt) + largest / path(draft.rate()) > 0.15 * rest {
        return None;
    }
    draft.sender.nodelay = true;
    draft.imposed = portion / rest;
    let write = Writer {
        portion: Some(Bytes(portion as u64)),
        every: Some(micros(rest)),
        varies: Some(varies),
        size: if dice.percent(30) { Bytes(TLS_RECORD) } else { Writer::default().size },
        ..Writer::default()
    };
    let rate = draft.imposed;
    // There are enough portions for a mean.
    (draft.seconds / rest >= 25.0).then(|| draft.streaming(rate, write, Reader::default()))
}
