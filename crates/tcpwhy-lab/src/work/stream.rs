//! Data in one direction.

use std::io;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use super::connection::Connection;
use crate::scenario::{BitRate, Bytes, Calls, End, Phase, Stream};

/// What a receiver that opened the connection asks with.
const REQUEST: u64 = 120;

/// Writes all phases.
pub(super) fn write(stream: &Stream, connection: &mut Connection<'_>) -> io::Result<()> {
    if stream.opener == End::Receiver {
        connection.recv_exactly(REQUEST, &mut [MaybeUninit::uninit(); REQUEST as usize])?;
    }
    for phase in &stream.phases {
        connection.begin_phase();
        connection.rest(phase.write.delay.into());
        write_phase(phase, connection)?;
    }
    connection.finish_sending()
}

/// Reads all phases.
pub(super) fn read(stream: &Stream, connection: &mut Connection<'_>) -> io::Result<()> {
    if stream.opener == End::Receiver {
        connection.send(&[0; REQUEST as usize])?;
    }
    for phase in &stream.phases {
        connection.begin_phase();
        connection.rest(phase.read.delay.into());
        read_phase(phase, connection)?;
    }
    connection.finish_receiving()
}

fn write_phase(phase: &Phase, connection: &mut Connection<'_>) -> io::Result<()> {
    let block = vec![0; phase.write.size.0 as usize];
    let mut put = |connection: &mut Connection<'_>, mut bytes: u64| {
        while bytes > 0 {
            let size = bytes.min(block.len() as u64);
            connection.send(&block[..size as usize])?;
            bytes -= size;
        }
        Ok(())
    };
    let pace = Pace::of(&phase.write);
    // Production goes on while a write waits, so what is late is made up for.
    pace.portions(phase.bytes, connection, false, &mut put)
}

fn read_phase(phase: &Phase, connection: &mut Connection<'_>) -> io::Result<()> {
    let mut buffer = vec![MaybeUninit::uninit(); phase.read.size.0 as usize];
    let mut take = |connection: &mut Connection<'_>, bytes| connection.recv_exactly(bytes, &mut buffer);
    let pace = Pace::of(&phase.read);
    // A reader that had nothing to read does not become faster by it.
    pace.portions(phase.bytes, connection, true, &mut take)
}

/// How a phase is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    Free,
    /// What `rate` makes in `every`, at multiples of `every`.
    Rate(BitRate, Duration),
    /// So many bytes, then a rest.
    Rests(u64, Duration),
}

impl Pace {
    fn of<const SIZE: u64>(calls: &Calls<SIZE>) -> Self {
        match (calls.rate, calls.every, calls.portion) {
            (Some(rate), Some(every), _) => Self::Rate(rate, every.into()),
            (None, Some(every), Some(portion)) => Self::Rests(portion.0, every.into()),
            _ => Self::Free,
        }
    }

    /// Moves `bytes` by `act`, a portion at a time. No rest follows the last one.
    fn portions(
        self,
        bytes: Bytes,
        connection: &mut Connection<'_>,
        forgets_delay: bool,
        act: &mut impl FnMut(&mut Connection<'_>, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut left = bytes.0;
        let mut due = Instant::now();
        let mut portions = 0;
        loop {
            let portion = self.portion(portions).min(left);
            act(connection, portion)?;
            left -= portion;
            if left == 0 {
                return Ok(());
            }
            portions += 1;
            match self {
                Self::Free => {}
                Self::Rate(_, every) => {
                    due += every;
                    if forgets_delay {
                        due = due.max(Instant::now());
                    }
                    connection.sleep_until(due);
                }
                Self::Rests(_, every) => connection.rest(every),
            }
            if connection.stop.is_over() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Bytes of the portion with this number, from 0 on.
    fn portion(self, number: u64) -> u64 {
        match self {
            Self::Free => u64::MAX,
            // Rounded down in sum, so that the rate is kept whatever a portion comes to.
            Self::Rate(rate, every) => {
                let made = |times: u64| u128::from(rate.0) * every.as_nanos() * u128::from(times) / 8_000_000_000;
                u64::try_from(made(number + 1) - made(number)).unwrap_or(u64::MAX)
            }
            Self::Rests(portion, _) => portion,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Nanos, Writer};

    #[test]
    fn portions_keep_the_rate() {
        let pace =
            Pace::of(&Writer { rate: Some(BitRate(1_000_001)), every: Some(Nanos(5_000_000)), ..Writer::default() });
        let total: u64 = (0..200).map(|number| pace.portion(number)).sum();
        assert_eq!(total, 125_000, "a second of a Mbit/s and a bit");
        assert_eq!(pace.portion(0), 625);
    }

    #[test]
    fn nothing_asked_is_no_pace() {
        assert_eq!(Pace::of(&Writer::default()), Pace::Free);
        let portions = Writer { every: Some(Nanos(1000)), portion: Some(Bytes(7)), ..Writer::default() };
        assert_eq!(Pace::of(&portions), Pace::Rests(7, Duration::from_micros(1)));
    }
}
