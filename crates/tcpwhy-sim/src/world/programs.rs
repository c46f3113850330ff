//! What programs do with their sockets, and how long that takes them.

use super::{Event, World};
use crate::program::{Step, Waits};
use crate::time::{SECOND, Time};

impl World {
    fn continue_at(&mut self, end: usize, at: Time) {
        self.hosts[end].program.waits = Waits::Clock;
        self.at(at, Event::Program(end));
    }

    pub(super) fn run_program(&mut self, end: usize) {
        if matches!(self.hosts[end].program.waits, Waits::Ended | Waits::Room | Waits::Data) {
            return;
        }
        loop {
            let now = self.now;
            let Some(step) = self.hosts[end].program.step() else {
                self.hosts[end].program.waits = Waits::Ended;
                return;
            };
            let is_first = !self.hosts[end].program.has_begun;
            self.hosts[end].program.begin(now);
            let goes_on = match step {
                Step::Write(_) => self.write(end, is_first),
                Step::Rest(time) => self.rest(end, now + time),
                Step::Mark => {
                    self.hosts[end].program.mark = now;
                    self.hosts[end].program.next();
                    true
                }
                Step::RestUntil(time) => {
                    let until = self.hosts[end].program.mark + time;
                    if until > now { self.rest(end, until) } else { self.skip(end) }
                }
                Step::Read { size, .. } | Step::ReadAll { size } => self.read(end, size, None, None),
                Step::ReadAtRate { rate, size, .. } => self.read(end, size, Some(rate), None),
                Step::ReadInPortions { portion, rest, size, .. } => self.read(end, size, None, Some((portion, rest))),
                Step::Finish => {
                    self.hosts[end].socket.finish(now);
                    self.hosts[end].program.next();
                    self.settle(end);
                    true
                }
            };
            if !goes_on {
                return;
            }
        }
    }

    fn skip(&mut self, end: usize) -> bool {
        self.hosts[end].program.next();
        true
    }

    fn rest(&mut self, end: usize, until: Time) -> bool {
        let host = &mut self.hosts[end];
        let at = until + host.profile.slack;
        host.program.next();
        self.continue_at(end, at);
        false
    }

    /// One slice of a `send()`.
    fn write(&mut self, end: usize, is_first: bool) -> bool {
        let now = self.now;
        let host = &mut self.hosts[end];
        let left = host.program.left;
        if left == 0 {
            host.socket.end_write(now);
            host.program.next();
            self.settle(end);
            self.unlock(end);
            return true;
        }
        let taken = host.socket.write_some(now, left);
        if taken == 0 {
            self.settle(end);
            self.unlock(end);
            let host = &mut self.hosts[end];
            if host.socket.has_room() {
                // The backlog has made room (`sk_stream_wait_memory`).
                return true;
            }
            host.program.waits = Waits::Room;
            host.socket.await_room();
            return false;
        }
        host.program.left -= taken;
        host.program.written += taken;
        host.is_locked = true;
        let call = if is_first { host.profile.call } else { 0 };
        let at = now + call + host.profile.copy(taken);
        self.settle(end);
        self.continue_at(end, at);
        false
    }

    /// One `recv()`.
    fn read(&mut self, end: usize, size: u64, rate: Option<u64>, portions: Option<(u64, Time)>) -> bool {
        let now = self.now;
        let host = &mut self.hosts[end];
        if host.program.left == 0 {
            host.program.next();
            return true;
        }
        // A portion ends where it was to end.
        let most = size.min(host.program.left).min(host.program.until_rest);
        let Some(bytes) = host.socket.read(now, most) else {
            host.program.waits = Waits::Data;
            self.settle(end);
            return false;
        };
        self.settle(end);
        let host = &mut self.hosts[end];
        if bytes == 0 {
            // The stream has ended, and with it all that reads.
            host.program.end();
            return true;
        }
        let program = &mut host.program;
        program.read += bytes;
        program.left -= bytes;
        let mut at = now + host.profile.call + host.profile.copy(bytes);
        if let Some(rate) = rate {
            let wanted = u128::from(program.taken_of_step()) * u128::from(SECOND) / u128::from(rate.max(1));
            let until = program.step_began + u64::try_from(wanted).unwrap_or(u64::MAX / 2);
            if until > now {
                at = until + host.profile.slack;
            }
        }
        if let Some((portion, rest)) = portions {
            if bytes >= program.until_rest {
                program.until_rest = portion;
                at = now + rest + host.profile.slack;
            } else {
                program.until_rest -= bytes;
            }
        }
        self.continue_at(end, at);
        false
    }
}
