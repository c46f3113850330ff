//! Socket calls of programs, and their durations.

use super::{Event, World};
use crate::host::HostProfile;
use crate::program::credit::Granter;
use crate::program::{Call, Step, Stretch, Waits};
use crate::time::{SECOND, Time};
use tcpwhy_scenario::{Pace, Waits as Waiting};

/// Maximum bytes per call of a program that waits for grants.
const READS_GRANTS: u64 = 4096;

/// Result of a `recv()`.
enum Received {
    Bytes(u64),
    /// The stream has ended.
    End,
    /// The program waits, or the connection is broken.
    Nothing,
}

impl World {
    fn continue_at(&mut self, end: usize, at: Time) {
        self.hosts[end].program.waits = Waits::Clock;
        self.at(at, Event::Program(end));
    }

    pub(super) fn run_program(&mut self, end: usize) {
        if matches!(self.hosts[end].program.waits, Waits::Ended | Waits::Room | Waits::Data) {
            return;
        }
        while self.act(end) {}
    }

    /// Executes a step. Returns whether the program continues at once.
    fn act(&mut self, end: usize) -> bool {
        let now = self.now;
        let program = &mut self.hosts[end].program;
        if program.call.is_some() {
            return self.write(end);
        }
        if program.resets() {
            return self.reset(end);
        }
        if let (Some(grant), Some(granter)) = (program.grants.pop(), &program.granter) {
            let bytes = granter.grant;
            program.said.push_back(grant);
            return self.call(end, bytes, false);
        }
        let Some(step) = program.step().cloned() else {
            program.waits = Waits::Ended;
            return false;
        };
        program.begin(now);
        match step {
            Step::Write(bytes) => {
                program.next();
                self.call(end, bytes, false)
            }
            Step::Send(stretch) => self.send_stretch(end, &stretch),
            Step::Rest(time) => self.rest(end, now.saturating_add(time)),
            Step::Patience(time) => {
                let ticks = self.hosts[end].socket.rules.ticks;
                self.rest(end, ticks.fires(now, ticks.of(time)))
            }
            Step::Mark => {
                program.mark = now;
                self.skip(end)
            }
            Step::RestUntil(time) => {
                let until = program.mark.saturating_add(time);
                if until > now { self.rest(end, until) } else { self.skip(end) }
            }
            Step::RestToBeat(every) => {
                let until = program.mark;
                program.mark = until.saturating_add(every);
                if until > now { self.rest(end, until) } else { self.skip(end) }
            }
            Step::Read { size, .. } => self.read(end, size, None, None),
            Step::Receive(stretch) => self.receive_stretch(end, &stretch),
            Step::ReadAll { size } => self.read_all(end, size),
            Step::ReadAtRate { rate, size, .. } => self.read(end, size, Some(rate), None),
            Step::ReadInPortions { portion, rest, size, .. } => self.read(end, size, None, Some((portion, rest))),
            Step::ReadWithRests { rate, size } => self.read_with_rests(end, size, rate),
            Step::Finish => {
                program.has_finished = true;
                self.hosts[end].socket.finish(now);
                self.settle(end);
                self.skip(end)
            }
            // `Program::step` never returns a loop.
            Step::Repeat { .. } => self.skip(end),
            Step::Draw(draws) => {
                program.draws = draws;
                self.skip(end)
            }
            Step::Credit(credit) => {
                program.set_credit(&credit);
                self.skip(end)
            }
            Step::ResetAfter(after) => {
                program.reset_after = Some(after);
                self.skip(end)
            }
            Step::SetBuffers { sndbuf, rcvbuf } => {
                self.hosts[end].socket.set_buffers(sndbuf, rcvbuf);
                self.skip(end)
            }
        }
    }

    fn skip(&mut self, end: usize) -> bool {
        self.hosts[end].program.next();
        true
    }

    fn rest(&mut self, end: usize, until: Time) -> bool {
        self.hosts[end].program.next();
        self.sleep(end, until)
    }

    fn sleep(&mut self, end: usize, until: Time) -> bool {
        let HostProfile { slack, shares_timers, .. } = self.hosts[end].profile;
        let at = until.saturating_add(slack);
        if shares_timers {
            self.hosts[end].program.waits = Waits::Clock;
            self.asleep[end] = Some(until);
            self.at(at, Event::Wake(end));
        } else {
            self.continue_at(end, at);
        }
        false
    }

    fn reset(&mut self, end: usize) -> bool {
        let now = self.now;
        let host = &mut self.hosts[end];
        host.program.abort();
        host.socket.reset(now);
        self.settle(end);
        false
    }

    /// Begins a `send()`.
    fn call(&mut self, end: usize, bytes: u64, polls: bool) -> bool {
        let program = &mut self.hosts[end].program;
        let left = bytes.min(program.most_written());
        program.call = Some(Call { left, polls, has_begun: false, is_over: false });
        true
    }

    fn send_stretch(&mut self, end: usize, stretch: &Stretch) -> bool {
        let host = &mut self.hosts[end];
        let program = &mut host.program;
        if program.left == 0 {
            return self.skip(end);
        }
        if program.until_rest == 0 {
            // Production continues while a write waits, so a delay is made up for.
            return self.end_portion(end, stretch.pace, false);
        }
        let polls = stretch.waits == Waiting::Poll;
        let size = program.until_rest.min(stretch.size.max(1));
        let (frame, bytes) = match &mut program.spender {
            None => (size, size),
            Some(_) if host.socket.is_readable() => return self.read_grants(end),
            Some(spender) => match spender.take(size) {
                None => return self.read_grants(end),
                Some(tag) => {
                    program.said.push_back(tag);
                    (spender.header + tag.1, tag.1)
                }
            },
        };
        program.left -= bytes;
        program.until_rest -= bytes;
        self.call(end, frame, polls)
    }

    fn end_portion(&mut self, end: usize, pace: Pace, forgets: bool) -> bool {
        let now = self.now;
        match self.hosts[end].program.end_portion(now, pace, forgets) {
            Some(until) => self.sleep(end, until),
            None => true,
        }
    }

    /// One `recv()` of grants, which blocks until some arrive.
    fn read_grants(&mut self, end: usize) -> bool {
        let bytes = match self.take(end, READS_GRANTS) {
            Received::Bytes(bytes) => bytes,
            Received::End => return self.end_early(end),
            Received::Nothing => return false,
        };
        let [host, peer] = self.both(end);
        if let Some(spender) = &mut host.program.spender {
            for _ in 0..spender.read(bytes) {
                if let Some(grant) = peer.program.said.pop_front() {
                    spender.grant(grant);
                }
            }
        }
        self.after_copy(end, bytes)
    }

    /// One slice of the current `send()`.
    fn write(&mut self, end: usize) -> bool {
        let now = self.now;
        let host = &mut self.hosts[end];
        let Some(call) = host.program.call else { return true };
        if host.socket.is_broken() {
            host.is_locked = false;
            host.program.abort();
            return false;
        }
        if call.is_over {
            host.program.call = None;
            self.unlock(end);
            return true;
        }
        if call.left == 0 {
            host.program.call = None;
            return self.end_write(end, call);
        }
        if call.polls && !call.has_begun && !host.socket.is_writeable() {
            return self.await_room(end);
        }
        host.socket.set_leaves_at_once(!host.cuts_bursts);
        let taken = host.socket.write_some(now, call.left, call.has_begun);
        host.socket.set_leaves_at_once(false);
        if taken == 0 {
            if call.polls && call.has_begun {
                // The call returns the accepted bytes.
                let call = Call { has_begun: false, ..call };
                host.program.call = Some(call);
                return self.end_write(end, call);
            }
            self.settle(end);
            self.unlock(end);
            // The backlog may have made room (`sk_stream_wait_memory`).
            return self.hosts[end].socket.has_room() || self.await_room(end);
        }
        host.program.call = Some(Call { left: call.left - taken, has_begun: true, ..call });
        host.program.count_written(taken);
        host.is_locked = true;
        let calls = if call.has_begun { 0 } else { 1 + u64::from(call.polls) };
        let at = now + calls * host.profile.call + host.profile.copy(taken);
        let handing_over = self.settle(end);
        self.continue_at(end, at + handing_over);
        false
    }

    /// All bytes are copied. The socket is released when the sent bursts are passed to the interface.
    fn end_write(&mut self, end: usize, call: Call) -> bool {
        let now = self.now;
        let host = &mut self.hosts[end];
        host.socket.set_leaves_at_once(!host.cuts_bursts);
        host.socket.end_write(now);
        host.socket.set_leaves_at_once(false);
        let handing_over = self.settle(end);
        let program = &mut self.hosts[end].program;
        if handing_over == 0 || program.call.is_some() {
            self.unlock(end);
            return true;
        }
        program.call = Some(Call { is_over: true, ..call });
        self.hosts[end].is_locked = true;
        self.continue_at(end, now + handing_over);
        false
    }

    fn await_room(&mut self, end: usize) -> bool {
        let host = &mut self.hosts[end];
        host.program.waits = Waits::Room;
        host.socket.await_room();
        false
    }

    /// One `recv()`.
    fn take(&mut self, end: usize, most: u64) -> Received {
        let now = self.now;
        let host = &mut self.hosts[end];
        let read = host.socket.read(now, most.min(host.program.most_read()));
        let received = match read {
            None if host.socket.is_broken() => {
                host.program.abort();
                Received::Nothing
            }
            None => {
                host.program.waits = Waits::Data;
                Received::Nothing
            }
            Some(0) => Received::End,
            Some(bytes) => {
                host.program.count_read(bytes);
                Received::Bytes(bytes)
            }
        };
        self.settle(end);
        received
    }

    /// Continues the program after the time to copy these bytes.
    fn after_copy(&mut self, end: usize, bytes: u64) -> bool {
        let profile = &self.hosts[end].profile;
        let at = self.now + profile.call + profile.copy(bytes);
        self.continue_at(end, at);
        false
    }

    /// Handles a stream that ended before all bytes were read.
    fn end_early(&mut self, end: usize) -> bool {
        self.hosts[end].program.end();
        true
    }

    fn receive_stretch(&mut self, end: usize, stretch: &Stretch) -> bool {
        let program = &mut self.hosts[end].program;
        if program.left == 0 {
            return self.skip(end);
        }
        if program.until_rest == 0 {
            // A program that had nothing to read does not read faster later.
            return self.end_portion(end, stretch.pace, true);
        }
        let header = program.granter.as_ref().map_or(0, Granter::header_left);
        if header > 0 {
            return self.read_header(end, header);
        }
        let in_frame = program.granter.as_ref().map_or(u64::MAX, Granter::left);
        let most = program.until_rest.min(stretch.size.max(1)).min(in_frame);
        let bytes = match self.take(end, most) {
            Received::Bytes(bytes) => bytes,
            Received::End => return self.end_early(end),
            Received::Nothing => return false,
        };
        let host = &mut self.hosts[end];
        let program = &mut host.program;
        program.left -= bytes;
        program.until_rest -= bytes;
        if let Some(granter) = &mut program.granter {
            program.grants.extend(granter.read(bytes).into_iter().rev().flatten());
        }
        let polls = if stretch.waits == Waiting::Poll { host.profile.call } else { 0 };
        let at = self.now + polls + host.profile.call + host.profile.copy(bytes);
        self.continue_at(end, at);
        false
    }

    fn read_header(&mut self, end: usize, left: u64) -> bool {
        let bytes = match self.take(end, left) {
            Received::Bytes(bytes) => bytes,
            Received::End => return self.end_early(end),
            Received::Nothing => return false,
        };
        let [host, peer] = self.both(end);
        if let Some(granter) = &mut host.program.granter
            && granter.read_header(bytes)
            && let Some(frame) = peer.program.said.pop_front()
        {
            granter.begin(frame);
        }
        self.after_copy(end, bytes)
    }

    fn read_all(&mut self, end: usize, size: u64) -> bool {
        match self.take(end, size) {
            Received::Bytes(bytes) => self.after_copy(end, bytes),
            Received::End => self.skip(end),
            Received::Nothing => false,
        }
    }

    /// Reads until the stream ends. After each call it sleeps for the time that the bytes take at `rate`.
    fn read_with_rests(&mut self, end: usize, size: u64, rate: u64) -> bool {
        match self.take(end, size) {
            Received::Bytes(bytes) => {
                let profile = &self.hosts[end].profile;
                let rest = u128::from(bytes) * u128::from(SECOND) / u128::from(rate.max(1));
                let at = self.now + profile.call + profile.copy(bytes);
                self.sleep(end, at.saturating_add(u64::try_from(rest).unwrap_or(u64::MAX / 2)))
            }
            Received::End => self.skip(end),
            Received::Nothing => false,
        }
    }

    fn read(&mut self, end: usize, size: u64, rate: Option<u64>, portions: Option<(u64, Time)>) -> bool {
        let now = self.now;
        let program = &self.hosts[end].program;
        if program.left == 0 {
            return self.skip(end);
        }
        // A portion ends at its defined length.
        let bytes = match self.take(end, size.min(program.left).min(program.until_rest)) {
            Received::Bytes(bytes) => bytes,
            Received::End => return self.end_early(end),
            Received::Nothing => return false,
        };
        let host = &mut self.hosts[end];
        let program = &mut host.program;
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

    /// The host at `end`, and the other one.
    fn both(&mut self, end: usize) -> [&mut crate::host::Host; 2] {
        let [sender, receiver] = &mut self.hosts;
        if end == 0 { [sender, receiver] } else { [receiver, sender] }
    }
}
