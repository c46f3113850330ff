//! Data in one direction.

use std::io;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use super::connection::{Connection, closed_early};
use super::credit::{Granter, Spender};
use super::ending::leave;
use tcpwhy_scenario::splitmix::{GAMMA, mix};
use tcpwhy_scenario::{BitRate, Bytes, Calls, End, Ending, Phase, Stream, Varies, Waits};

/// What a receiver that opened the connection asks with.
const REQUEST: u64 = 120;

/// Writes all phases; `seed` is that of what varies.
pub(super) fn write(stream: &Stream, seed: u64, connection: &mut Connection<'_>) -> io::Result<()> {
    if stream.opener == End::Receiver {
        connection.recv_exactly(REQUEST, &mut [MaybeUninit::uninit(); REQUEST as usize])?;
    }
    let mut spender = stream.credit.as_ref().map(Spender::new);
    let mut draws = Draws::new(seed, End::Sender);
    for phase in &stream.phases {
        connection.begin_phase();
        connection.rest(phase.write.delay.into());
        write_phase(phase, spender.as_mut(), &mut draws, connection)?;
    }
    if matches!(stream.ending, Some(Ending::Unanswered(_))) && stream.opener == End::Receiver {
        connection.recv_exactly(REQUEST, &mut [MaybeUninit::uninit(); REQUEST as usize])?;
    }
    leave(stream.ending, stream.opener, connection)?;
    if spender.is_some() {
        // The last grants.
        connection.read_to_end()?;
    }
    Ok(())
}

/// Reads all phases.
pub(super) fn read(stream: &Stream, seed: u64, connection: &mut Connection<'_>) -> io::Result<()> {
    if stream.opener == End::Receiver {
        connection.send(&[0; REQUEST as usize])?;
    }
    let mut granter = stream.credit.as_ref().map(Granter::new);
    let mut draws = Draws::new(seed, End::Receiver);
    for phase in &stream.phases {
        connection.begin_phase();
        connection.rest(phase.read.delay.into());
        read_phase(phase, granter.as_mut(), &mut draws, connection)?;
    }
    if matches!(stream.ending, Some(Ending::Unanswered(_))) && stream.opener == End::Receiver {
        connection.send(&[0; REQUEST as usize])?;
    }
    leave(stream.ending, stream.opener, connection)
}

fn write_phase(
    phase: &Phase,
    mut spender: Option<&mut Spender>,
    draws: &mut Draws,
    connection: &mut Connection<'_>,
) -> io::Result<()> {
    let block = vec![0; phase.write.size.0 as usize];
    let send = |connection: &mut Connection<'_>, data: &[u8]| match phase.write.waits {
        Waits::Call => connection.send(data),
        Waits::Poll => connection.send_when_writable(data),
    };
    let mut put = |connection: &mut Connection<'_>, mut bytes: u64| {
        while bytes > 0 {
            let size = bytes.min(block.len() as u64);
            bytes -= match &mut spender {
                Some(spender) => spender.send(size, connection, send)?,
                None => send(connection, &block[..size as usize]).map(|()| size)?,
            };
        }
        Ok(())
    };
    let pace = Pace::of(&phase.write);
    // Production goes on while a write waits, so what is late is made up for.
    pace.portions(phase.bytes, draws, connection, false, &mut put)
}

fn read_phase(
    phase: &Phase,
    mut granter: Option<&mut Granter>,
    draws: &mut Draws,
    connection: &mut Connection<'_>,
) -> io::Result<()> {
    let mut buffer = vec![MaybeUninit::uninit(); phase.read.size.0 as usize];
    let mut take = |connection: &mut Connection<'_>, mut bytes: u64| {
        while bytes > 0 {
            let most = match &mut granter {
                Some(granter) => granter.next(connection)?,
                None => u64::MAX,
            };
            let room = buffer.len().min(usize::try_from(bytes.min(most)).unwrap_or(usize::MAX));
            connection.await_readable(phase.read.waits)?;
            let got = match connection.recv(&mut buffer[..room])? {
                0 => return Err(closed_early()),
                got => got as u64,
            };
            bytes -= got;
            if let Some(granter) = &mut granter {
                granter.read(got, connection)?;
            }
        }
        Ok(())
    };
    let pace = Pace::of(&phase.read);
    // A reader that had nothing to read does not become faster by it.
    pace.portions(phase.bytes, draws, connection, true, &mut take)
}

/// Even numbers in [0, 1), the same for the same seed and end.
#[derive(Debug)]
struct Draws(u64);

impl Draws {
    const fn new(seed: u64, end: End) -> Self {
        Self(mix(seed.wrapping_add(mix(end as u64 + 1))))
    }

    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(GAMMA);
        // 53 bits are what an f64 holds exactly.
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// `mean`, or what is drawn around it.
    fn around(&mut self, mean: u64, varies: Option<Varies>) -> u64 {
        varies.map_or(mean, |varies| (mean as f64 * varies.factor(self.unit())).round() as u64)
    }
}

/// How a phase is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    Free,
    /// What `rate` makes in `every`, at multiples of `every`.
    Rate(BitRate, Duration),
    /// So many bytes, then a rest; means of both, if they vary.
    Rests(u64, Duration, Option<Varies>),
}

impl Pace {
    fn of<const SIZE: u64>(calls: &Calls<SIZE>) -> Self {
        match (calls.rate, calls.every, calls.portion) {
            (Some(rate), Some(every), _) => Self::Rate(rate, every.into()),
            (None, Some(every), Some(portion)) => Self::Rests(portion.0, every.into(), calls.varies),
            _ => Self::Free,
        }
    }

    /// Moves `bytes` by `act`, a portion at a time. No rest follows the last one.
    fn portions(
        self,
        bytes: Bytes,
        draws: &mut Draws,
        connection: &mut Connection<'_>,
        forgets_delay: bool,
        act: &mut impl FnMut(&mut Connection<'_>, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut left = bytes.0;
        let mut due = Instant::now();
        let mut portions = 0;
        loop {
            let portion = self.portion(portions, draws).min(left);
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
                Self::Rests(_, every, varies) => {
                    // Half a century fits.
                    let every = u64::try_from(every.as_nanos()).unwrap_or(u64::MAX);
                    connection.rest(Duration::from_nanos(draws.around(every, varies)));
                }
            }
            if connection.stop.is_over() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Bytes of the portion with this number, from 0 on.
    fn portion(self, number: u64, draws: &mut Draws) -> u64 {
        match self {
            Self::Free => u64::MAX,
            // Rounded down in sum, so that the rate is kept whatever a portion comes to.
            Self::Rate(rate, every) => {
                let made = |times: u64| u128::from(rate.0) * every.as_nanos() * u128::from(times) / 8_000_000_000;
                u64::try_from(made(number + 1) - made(number)).unwrap_or(u64::MAX)
            }
            // Nothing is no portion.
            Self::Rests(portion, _, varies) => draws.around(portion, varies).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_scenario::{Nanos, Writer};

    #[test]
    fn portions_keep_the_rate() {
        let pace =
            Pace::of(&Writer { rate: Some(BitRate(1_000_001)), every: Some(Nanos(5_000_000)), ..Writer::default() });
        let mut draws = Draws::new(1, End::Sender);
        let total: u64 = (0..200).map(|number| pace.portion(number, &mut draws)).sum();
        assert_eq!(total, 125_000, "a second of a Mbit/s and a bit");
        assert_eq!(pace.portion(0, &mut draws), 625);
    }

    #[test]
    fn nothing_asked_is_no_pace() {
        assert_eq!(Pace::of(&Writer::default()), Pace::Free);
        let portions = Writer { every: Some(Nanos(1000)), portion: Some(Bytes(7)), ..Writer::default() };
        assert_eq!(Pace::of(&portions), Pace::Rests(7, Duration::from_micros(1), None));
    }

    /// The same draws for the same seed, others at the other end; a mean that does not vary is kept.
    #[test]
    fn what_varies_is_drawn_by_the_seed() {
        let pace = Pace::Rests(10_000, Duration::from_millis(5), Some(Varies::Log));
        let portions = |seed, end| {
            let mut draws = Draws::new(seed, end);
            (0..1000).map(|number| pace.portion(number, &mut draws)).collect::<Vec<_>>()
        };
        let drawn = portions(7, End::Sender);
        assert_eq!(drawn, portions(7, End::Sender));
        assert!(drawn != portions(8, End::Sender) && drawn != portions(7, End::Receiver));
        let mean = drawn.iter().sum::<u64>() as f64 / 1000.0;
        assert!((9_000.0..11_000.0).contains(&mean), "{mean}");
        assert_eq!(Draws::new(7, End::Sender).around(10_000, None), 10_000);
    }
}
