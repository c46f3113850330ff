//! Programs of recorded runs, as their scenarios spell them.

use tcpwhy_scenario::{Pace, Waits};
use tcpwhy_sim::{Step, Stretch};

use crate::message::{Failure, failure};

/// Bytes that a program reads at a time.
const READS: u64 = 256 << 10;
/// More than any run has.
const ALL: u64 = u64::MAX / 4;

/// What sender and receiver do.
pub(super) fn steps(writer: &str, reader: &str, bytes: u64, polls: bool) -> Result<[Vec<Step>; 2], Failure> {
    let text = writer.replace("{bytes}", &bytes.to_string());
    let mut sender = Vec::new();
    let mut turns = 0;
    for part in text.split(';') {
        let part = Part::new(part);
        write(&part, polls, &mut sender)?;
        if part.name() == "rr" {
            turns += part.number(1)?;
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

/// `think:1000000:32768:30`.
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

fn write(part: &Part<'_>, polls: bool, steps: &mut Vec<Step>) -> Result<(), Failure> {
    match part.name() {
        "fast" => steps.push(Step::Send(Stretch {
            bytes: part.number(1)?,
            size: part.number(2)?,
            pace: Pace::Free,
            waits: if polls { Waits::Poll } else { Waits::Call },
        })),
        "think" => {
            let (mut left, portion) = (part.number(1)?, part.number(2)?.max(1));
            while left > 0 {
                let now = left.min(portion);
                steps.push(Step::Write(now));
                left -= now;
                if left > 0 {
                    steps.push(Step::Rest(part.millis(3)?));
                }
            }
        }
        "rate" => {
            let (bytes, rate, every) = (part.number(1)?, part.number(2)?.max(1), part.millis(3)?.max(1));
            steps.push(Step::Mark);
            let (mut written, mut tick) = (0, 1_u64);
            while written < bytes {
                let due = u128::from(tick) * u128::from(every) * u128::from(rate) / 1_000_000_000;
                let due = u64::try_from(due).unwrap_or(u64::MAX).min(bytes);
                steps.push(Step::Write(due - written));
                written = due;
                if written < bytes {
                    steps.push(Step::RestUntil(tick * every));
                }
                tick += 1;
            }
        }
        "rr" => {
            let sizes: Vec<u64> = part.word(2)?.split('+').map(|size| size.parse().unwrap_or(0)).collect();
            for _ in 0..part.number(1)? {
                steps.extend(sizes.iter().map(|size| Step::Write(*size)));
                steps.push(Step::Read { bytes: part.number(3)?, size: READS });
            }
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
            for _ in 0..turns {
                steps.push(Step::Read { bytes: part.number(1)?, size: READS });
                steps.push(Step::Write(part.number(2)?));
            }
        }
        "sleep" => steps.push(Step::Rest(part.millis(1)?)),
        _ => return Err(part.unknown()),
    }
    Ok(())
}
