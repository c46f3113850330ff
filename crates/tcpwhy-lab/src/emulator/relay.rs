//! The loop of the relay: sleep until a frame arrives or is due, read frames, deliver the due ones.

use std::fs::File;
use std::io::{self, IoSlice, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::mpsc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::histogram::Histogram;
use super::priority::Priority;
use super::report::{EmulatorReport, Lateness, RateHeld};
use super::wake::{Rest, WakeLead, patience};
use crate::LabError;
use crate::clock::{now, thread_cpu};
use tcpwhy_path::frame::{LARGEST, Packet, Run, Segment, Written};
use tcpwhy_path::link::{Arrival, Link};
use tcpwhy_scenario::{End, Flow, LinkSpec, Nanos};

/// Longest sleep, nanoseconds.
const MAX_SLEEP: u64 = 100_000_000;
/// Limit for the frames read from one device before the other is served.
const BATCH: usize = 32;
/// Packets up to this size, in bytes, are copied out of the large buffer. So packets on the link need little
/// more memory than their size.
const SMALL: usize = 16_384;
/// Limit for the large buffers that are kept for reuse.
const SPARE: usize = 256;

/// The state of the relay's thread.
#[derive(Debug)]
pub(super) struct Relay {
    /// By the end that sends.
    directions: [Direction; 2],
    buffers: Buffers,
    lateness: Histogram,
    limit: Nanos,
    /// Frames read and delivered so far.
    moved: u64,
}

/// Why a sleep ended.
struct Woken {
    /// Readiness of the two devices and of the stop signal.
    ready: [bool; 3],
    is_timeout: bool,
}

/// One direction, from one end to the other.
#[derive(Debug)]
struct Direction {
    from: Rc<File>,
    to: Rc<File>,
    link: Link<Segment>,
    coalesces: bool,
    held: RateHeld,
    writes: u64,
}

#[derive(Debug, Default)]
struct Buffers(Vec<Vec<u8>>);

impl Relay {
    pub(super) fn new(taps: [File; 2], path: &LinkSpec, seed: u64, coalesces: [bool; 2], limit: Nanos) -> Self {
        let [sender, receiver] = taps.map(Rc::new);
        let tap = |end: End| Rc::clone(if end == End::Sender { &sender } else { &receiver });
        let direction = |end: End, flow| Direction {
            from: tap(end),
            to: tap(end.other()),
            link: Link::new(path, flow, seed),
            coalesces: coalesces[end.other().index()],
            held: RateHeld::default(),
            writes: 0,
        };
        Self {
            directions: [direction(End::Sender, Flow::Forward), direction(End::Receiver, Flow::Back)],
            buffers: Buffers::default(),
            lateness: Histogram::new(),
            limit,
            moved: 0,
        }
    }

    /// Runs until `stop` is readable or the time limit has passed.
    pub(super) fn run(mut self, stop: &OwnedFd, ready: &mpsc::Sender<()>) -> Result<EmulatorReport, LabError> {
        let begun = now();
        let cpu = thread_cpu();
        let mut priority = Priority::raise(begun);
        // The caller may have stopped waiting, so an error does not matter.
        let _ = ready.send(());
        let ended = self.pass_frames(stop, begun, &mut priority);
        ended.map_err(|error| LabError::io("the emulator", error))?;
        let lateness = Lateness::of(&self.lateness);
        let [forward, back] = self.directions.map(|one| one.held.report(*one.link.counts(), one.writes));
        Ok(EmulatorReport {
            duration_s: (now() - begun) as f64 / 1e9,
            cpu_s: (thread_cpu() - cpu) as f64 / 1e9,
            is_real_time: priority.is_permitted(),
            lateness,
            forward,
            back,
            is_late: lateness.is_late(),
        })
    }

    fn pass_frames(&mut self, stop: &OwnedFd, begun: u64, priority: &mut Priority) -> io::Result<()> {
        let mut at = begun;
        let mut written = Written::default();
        let mut aim = WakeLead::new();
        let mut rest = Rest::default();
        let mut has_moved = false;
        while at - begun < self.limit.0 {
            let delay = self.directions[0].link.delay().min(self.directions[1].link.delay());
            let pause = rest.pause(delay).filter(|_| has_moved);
            let due = self.wake_at().map_or(MAX_SLEEP, |due| due.saturating_sub(at + aim.early()).min(MAX_SLEEP));
            let sleep = pause.unwrap_or(due);
            let Woken { ready, is_timeout } = self.sleep(stop, sleep, pause.is_none())?;
            if ready[2] {
                return Ok(());
            }
            let woken = now();
            if is_timeout && sleep > 0 && pause.is_none() {
                aim.woken(woken.saturating_sub(at + sleep));
            }
            priority.slept(if sleep > 0 { woken - at } else { 0 }, woken);
            let before = self.moved;
            for (index, _) in ready[..2].iter().enumerate().filter(|(_, is_ready)| **is_ready) {
                self.take(index)?;
            }
            for direction in &mut self.directions {
                self.moved += direction.deliver(&mut self.lateness, &mut self.buffers, &mut written)?;
            }
            at = now();
            has_moved = self.moved > before;
            rest.moved(self.moved - before, at);
        }
        Ok(())
    }

    /// Sleeps for `nanos`, or until there is work. Without `by_device`, arriving frames do not end the sleep;
    /// the caller reads them after it.
    fn sleep(&self, stop: &OwnedFd, nanos: u64, by_device: bool) -> io::Result<Woken> {
        let events = if by_device { PollFlags::IN } else { PollFlags::empty() };
        let mut polled = [
            PollFd::new(&*self.directions[0].from, events),
            PollFd::new(&*self.directions[1].from, events),
            PollFd::new(stop, PollFlags::IN),
        ];
        let timeout = Timespec { tv_sec: 0, tv_nsec: nanos as i64 };
        let is_timeout = match poll(&mut polled, Some(&timeout)) {
            Ok(count) => count == 0,
            Err(rustix::io::Errno::INTR) => return Ok(Woken { ready: [false; 3], is_timeout: false }),
            Err(error) => return Err(error.into()),
        };
        let mut ready = polled.map(|one| !one.revents().is_empty());
        if !by_device {
            ready[0] = true;
            ready[1] = true;
        }
        Ok(Woken { ready, is_timeout })
    }

    /// Time at which the next delivery must happen.
    fn wake_at(&self) -> Option<u64> {
        let latest = |one: &Direction| one.link.next_due().map(|due| due + patience(one.link.delay()));
        let limit = self.directions.iter().filter_map(latest).min()?;
        self.directions.iter().filter_map(|one| one.link.last_due(limit)).max()
    }

    fn take(&mut self, index: usize) -> io::Result<()> {
        for _ in 0..BATCH {
            let mut buffer = self.buffers.take();
            let len = match (&*self.directions[index].from).read(&mut buffer) {
                Ok(len) => len,
                Err(error) => {
                    self.buffers.give_back(buffer);
                    let is_over = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted);
                    return if is_over { Ok(()) } else { Err(error) };
                }
            };
            let at = now();
            let kept = if len <= SMALL {
                let kept = buffer[..len].to_vec();
                self.buffers.give_back(buffer);
                kept
            } else {
                buffer
            };
            let Some(mut packet) = Packet::new(kept, len) else { continue };
            if packet.is_tcp() {
                self.directions[0].link.begin(at);
                self.directions[1].link.begin(at);
            }
            if let Some(largest) = self.directions[index].link.clamped_mss() {
                packet.clamp_mss(largest);
            }
            self.moved += 1;
            for segment in Segment::all(packet) {
                self.directions[index].link.accept(at, segment.wire(), segment);
            }
        }
        Ok(())
    }
}

impl Direction {
    /// Delivers the frames that are due, consecutive segments together. Returns the number of writes.
    fn deliver(&mut self, lateness: &mut Histogram, buffers: &mut Buffers, written: &mut Written) -> io::Result<u64> {
        let mut at = now();
        let before = self.writes;
        let mut next = self.arrived(at);
        while let Some(Arrival { due, bytes, gap, item, .. }) = next {
            lateness.add(at.saturating_sub(due), 1);
            self.held.delivered(at, bytes, gap);
            let mut run = Run::new(item);
            loop {
                next = self.arrived(at);
                if !self.coalesces {
                    break;
                }
                let Some(Arrival { due, bytes, gap, item, .. }) = next else { break };
                match run.extend(item) {
                    Ok(()) => {
                        lateness.add(at.saturating_sub(due), 1);
                        self.held.delivered(at, bytes, gap);
                    }
                    Err(item) => {
                        next = Some(Arrival { due, bytes, gap, is_marked: false, item });
                        break;
                    }
                }
            }
            if !self.write(&run, written)? {
                self.link.refuse();
            }
            for packet in run.into_packets() {
                buffers.give_back(packet.into_buffer());
            }
            at = now();
        }
        Ok(self.writes - before)
    }

    /// The next frame that is due, with a congestion mark if the link sets one.
    fn arrived(&mut self, now: u64) -> Option<Arrival<Segment>> {
        let mut arrival = self.link.deliver(now)?;
        if arrival.is_marked {
            arrival.item.mark();
        }
        Some(arrival)
    }

    /// Writes frames to the device. Returns false if the device did not accept them.
    fn write(&mut self, run: &Run, written: &mut Written) -> io::Result<bool> {
        let mut slices: Vec<IoSlice<'_>> = Vec::with_capacity(4);
        run.write(written, &mut slices);
        self.writes += 1;
        loop {
            match (&*self.to).write_vectored(&slices) {
                Ok(_) => return Ok(true),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The namespace is being removed, or the kernel rejects the frame. In both cases the link
                // loses it.
                Err(error) => match rustix::io::Errno::from_io_error(&error) {
                    Some(rustix::io::Errno::INVAL | rustix::io::Errno::IO | rustix::io::Errno::AGAIN) => {
                        return Ok(false);
                    }
                    _ => return Err(error),
                },
            }
        }
    }
}

impl Buffers {
    fn take(&mut self) -> Vec<u8> {
        self.0.pop().unwrap_or_else(|| vec![0; LARGEST])
    }

    fn give_back(&mut self, buffer: Vec<u8>) {
        if buffer.len() == LARGEST && self.0.len() < SPARE {
            self.0.push(buffer);
        }
    }
}
