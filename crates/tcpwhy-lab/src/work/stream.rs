//! Data in one direction.

use std::io;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use super::connection::{Connection, closed_early};
use super::credit::{Granter, Spender};
use super::ending::leave;
use tcpwhy_scenario::{Bytes, Draws, End, Ending, Pace, Phase, Stream, Waits};

/// Size of the request from a receiver that opened the connection, bytes.
const REQUEST: u64 = 120;

/// Writes all phases; `seed` determines the random sizes and pauses.
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
        // Reads the last grants.
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
    // The writer catches up after a blocked write, because data is produced during the wait.
    portions(pace, phase.bytes, draws, connection, false, &mut put)
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
    // The reader does not catch up after it had nothing to read.
    portions(pace, phase.bytes, draws, connection, true, &mut take)
}

/// Moves `bytes` by `act`, one portion at a time. No pause follows the last one.
fn portions(
    pace: Pace,
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
        let portion = pace.portion(portions, draws).min(left);
        act(connection, portion)?;
        left -= portion;
        if left == 0 {
            return Ok(());
        }
        portions += 1;
        match pace {
            Pace::Free => {}
            Pace::Rate { every, .. } => {
                due += Duration::from_nanos(every);
                if forgets_delay {
                    due = due.max(Instant::now());
                }
                connection.sleep_until(due);
            }
            Pace::Rests { rest, varies, .. } => connection.rest(Duration::from_nanos(draws.around(rest, varies))),
        }
        if connection.stop.is_over() {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
}
