//! Programs of recorded runs, in the notation of their scenarios.

use tcpwhy_scenario::{Pace, Waits};
use tcpwhy_sim::{Step, Stretch};

use crate::message::{Failure, failure};

/// Bytes that a program reads per call.
const READS: u64 = 256 << 10;
/// More bytes than any run has: the program reads until the stream ends.
const ALL: u64 = u64::MAX / 4;

/// The steps of sender and receiver.
pub(super) fn steps(writer: &str, reader: &str, bytes: u64, polls: bool) -> Result<[Vec<Step>; 2], Failure> {
    let text = writer.replace("{bytes}", &bytes.to_string());
    let mut sender = Vec::new();
    let mut turns = 0;
    for part in text.split(';') {
        let part = Part::new(part);
        write(&part, polls, &mut sender)?;
        if part.name() == "rr" {
            turns = part.number(1)?.saturating_add(turns);
        }
    }
    sender.push(Step::Finish);
    let mut receiver = Vec::new();
    for part in reader.split(';') {
        read(&Part::new(part), turns, &mut receiver)?;
    }
    receiver.push(Step::ReadAll { size: READS });
    Ok([sender, receiver])
}

/// A part of a program, such as `think:1000000:32768:30`.
struct Part<'a>(Vec<&'a str>);

impl<'a> Part<'a> {
    fn new(text: &'a str) -> Self {
        Self(text.split(':').collect())
    }

    fn name(&self) -> &'a str {
        self.0[0]
    }

    fn word(&self, n: usize) -> Result<&'a str, Failure> {
        self.0.get(n).copied().ok_or_else(|| self.unknown())
    }

    fn number(&self, n: usize) -> Result<u64, Failure> {
        self.word(n)?.parse().map_err(|_| self.unknown())
    }

    fn number_or(&self, n: usize, otherwise: u64) -> u64 {
        self.number(n).unwrap_or(otherwise)
    }

    /// Milliseconds as nanoseconds.
    fn millis(&self, n: usize) -> Result<u64, Failure> {
        let millis: f64 = self.word(n)?.parse().map_err(|_| self.unknown())?;
        Ok((millis * 1e6) as u64)
    }

    fn unknown(&self) -> Failure {
        failure("sim-program").with("words", self.0.join(":"))
    }
}

/// Writes all of `bytes`, at most `size` per call.
const fn send(bytes: u64, size: u64, pace: Pace, waits: Waits) -> Step {
    Step::Send(Stretch { bytes, size, pace, waits })
}

fn write(part: &Part<'_>, polls: bool, steps: &mut Vec<Step>) -> Result<(), Failure> {
    match part.name() {
        "fast" => {
            let waits = if polls { Waits::Poll } else { Waits::Call };
            steps.push(send(part.number(1)?, part.number(2)?, Pace::Free, waits));
        }
        "think" => {
            let pace = Pace::Rests { portion: part.number(2)?, rest: part.millis(3)?, varies: None };
            steps.push(send(part.number(1)?, ALL, pace, Waits::Call));
        }
        "rate" => {
            let bits = part.number(2)?.checked_mul(8).ok_or_else(|| part.unknown())?;
            let pace = Pace::Rate { bits, every: part.millis(3)? };
            steps.push(send(part.number(1)?, ALL, pace, Waits::Call));
        }
        "rr" => {
            let sizes = part.word(2)?.split('+').map(|size| size.parse().map_err(|_| part.unknown()));
            let mut turn: Vec<_> = sizes.map(|size| Ok(Step::Write(size?))).collect::<Result<_, Failure>>()?;
            turn.push(Step::Read { bytes: part.number(3)?, size: READS });
            steps.push(Step::Repeat { times: part.number(1)?, steps: turn.into() });
        }
        "sleep" => steps.push(Step::Rest(part.millis(1)?)),
        _ => return Err(part.unknown()),
    }
    Ok(())
}

fn read(part: &Part<'_>, turns: u64, steps: &mut Vec<Step>) -> Result<(), Failure> {
    match part.name() {
        "fast" => steps.push(Step::Read { bytes: part.number_or(2, ALL), size: part.number(1)? }),
        "rate" => {
            steps.push(Step::ReadAtRate {
                rate: part.number(1)?,
                size: part.number(2)?,
                bytes: part.number_or(3, ALL),
            });
        }
        "pause" => steps.push(Step::ReadInPortions {
            portion: part.number(1)?,
            rest: part.millis(2)?,
            size: part.number(3)?,
            bytes: ALL,
        }),
        "rr" => {
            let turn = [Step::Read { bytes: part.number(1)?, size: READS }, Step::Write(part.number(2)?)];
            steps.push(Step::Repeat { times: turns, steps: turn.into() });
        }
        "sleep" => steps.push(Step::Rest(part.millis(1)?)),
        _ => return Err(part.unknown()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Large numbers in a file may make a program run long, but must not allocate much memory.
    #[test]
    fn long_programs_have_few_steps() {
        let most = u64::MAX;
        let writer = format!("think:{most}:1:0;rate:{most}:1:0;rr:{most}:1+2:3;rr:{most}:1:1");
        let [sender, receiver] = steps(&writer, "rr:3:3;fast:1", 1, false).unwrap();
        assert_eq!((sender.len(), receiver.len()), (5, 3));
        for refused in ["rate:1:18446744073709551615:1", "rr:1:1+x:1", "jump:1"] {
            assert!(steps(refused, "fast:1", 1, false).is_err(), "{refused}");
        }
    }
}
