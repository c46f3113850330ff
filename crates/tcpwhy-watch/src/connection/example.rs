//! A connection under one limit, for tests of what is printed of it.

use tcpwhy_analysis::Side;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{Cause, Timestamp};

use super::live::LiveConnection;
use crate::baseline::acked;
use crate::direction::{Direction, Part, Retention};
use crate::thresholds::confidence;

impl LiveConnection {
    /// A connection whose `sender` was under `cause` for all of `nanos`, with the newest state of its socket.
    /// This end is A.
    #[doc(hidden)]
    pub fn example(cause: Cause, sender: Side, socket: SocketSample, nanos: i64) -> Self {
        let sample = |time: i64, socket: SocketSample| KernelSample {
            time: Timestamp::from_nanos(time),
            key: SocketKey::default(),
            socket,
        };
        let bytes = acked(&socket);
        let mut first = socket.clone();
        for counter in [&mut first.info.bytes_acked, &mut first.info.bytes_received, &mut first.info.bytes_sent] {
            *counter = counter.map(|_| 0);
        }
        let mut connection = Self::new(0, sample(0, first), Retention::default(), None);
        let part = Part { cause, nanos, confidence: confidence::ACCOUNTED };
        if sender == Side::A {
            connection.sending.add(part, None);
        } else {
            let mut receiving = Direction::new(Timestamp::ZERO, Retention::default());
            receiving.add(part, None);
            connection.reader.receiving = Some(Box::new(receiving));
        }
        connection.instant.cause = cause;
        connection.last = sample(nanos, socket);
        connection.has_moved = bytes > 0;
        connection
    }
}
