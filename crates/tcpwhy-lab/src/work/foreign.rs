//! What samples tell of programs that keep no log.

use super::log::Log;
use crate::sampler::{Sample, SocketState};
use crate::scenario::End;

/// The log of a program of others at `end`, as far as its socket shows it; to the nearest sample.
pub(crate) fn log(end: End, samples: &[Sample], failure: Option<String>) -> Log {
    let Some((first, last)) = samples.first().zip(samples.last()) else {
        return Log { failure: failure.or_else(|| Some("no connection was seen".to_owned())), ..Log::default() };
    };
    let through = match end {
        End::Sender => sent,
        End::Receiver => received,
    };
    let total = through(&last.socket);
    let all_through = samples.iter().find(|sample| through(&sample.socket) == total).map(|sample| sample.time);
    let first_through = samples.iter().find(|sample| through(&sample.socket) > 0).map(|sample| sample.time);
    let mut log = Log {
        opened: Some(first.time),
        connected: Some(first.time),
        first_io: first_through,
        last_io: all_through,
        sent: sent(&last.socket),
        received: received(&last.socket),
        last_state: Some(last.socket),
        failure,
        ..Log::default()
    };
    match end {
        End::Sender => {
            let is_acked = |sample: &&Sample| sent(&sample.socket) == total && sample.socket.outq == Some(0);
            log.all_acked = samples.iter().find(is_acked).map(|sample| sample.time);
        }
        End::Receiver => log.eof = all_through,
    }
    log
}

/// Payload bytes that were sent for the first time.
fn sent(socket: &SocketState) -> u64 {
    let info = &socket.info;
    info.bytes_sent.unwrap_or_default().saturating_sub(info.bytes_retrans.unwrap_or_default())
}

/// Payload bytes that came; the kernel counts the peer's FIN too.
fn received(socket: &SocketState) -> u64 {
    // CLOSE, CLOSE-WAIT, LAST-ACK and CLOSING: the FIN has come.
    let has_fin = matches!(socket.state, Some(7 | 8 | 9 | 11));
    socket.info.bytes_received.unwrap_or_default().saturating_sub(has_fin.into())
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;

    use super::*;

    fn at(time: i64, sent: u64, outq: u64) -> Sample {
        let mut sample = Sample { time: Timestamp::from_nanos(time), ..Sample::default() };
        sample.socket.outq = Some(outq);
        sample.socket.info.bytes_sent = Some(sent);
        sample
    }

    #[test]
    fn a_sender_is_done_when_all_is_acknowledged() {
        let samples = [at(1, 0, 0), at(2, 500, 500), at(3, 900, 400), at(4, 900, 0), at(5, 900, 0)];
        let log = log(End::Sender, &samples, None);
        let times = [log.opened, log.first_io, log.last_io, log.all_acked].map(|time| time.map(Timestamp::as_nanos));
        assert_eq!(times, [Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!((log.sent, log.failure), (900, None));
    }

    #[test]
    fn no_connection_is_a_failure() {
        assert!(log(End::Receiver, &[], None).failure.is_some());
    }
}
