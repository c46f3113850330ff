//! `tcpwhy record`: writes packets and the kernel's data about its sockets into one file.

mod args;
mod output;
mod packets;
mod place;

use std::time::{Duration, Instant};

use tcpwhy_live::recording::{RecordedEffort, RecordedHost};
use tcpwhy_live::{Capturing, PacketCounts, PacketRing};
use tcpwhy_model::foreign::visible_name;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_report::{Args, Catalogue, Wording};
use tcpwhy_watch::LiveHost;

pub(crate) use args::RecordArgs;
pub(crate) use packets::{Ending, Heading, PacketFilter, begin_pcapng, open_ring};
pub(crate) use place::Place;

use self::output::Output;
use crate::environment::{host_name, kernel_release};
use crate::exit::ExitStatus;
use crate::message;
use crate::message::failure;
use crate::output::file;
use crate::predicate::Expression;
use crate::rights;
use crate::watching::{Budget, Log, Stop, Watch, is_wanted};
use crate::wrong::{Context as _, Result};

/// Longest time until the kernel's data is written, so that a crash loses little.
const LIST_EVERY: Duration = Duration::from_secs(1);
/// Blocks of packets that are written before sockets are sampled again.
const BLOCKS_AT_ONCE: usize = 8;
/// Longest delay until a stop signal is noticed.
const PATIENCE: Duration = Duration::from_millis(100);
/// Time that is still recorded after the condition of `--when` holds.
const AFTER: Duration = Duration::from_secs(10);

/// Records until a signal, the duration or the condition of `args` ends it.
pub(crate) fn run(args: &RecordArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.words.language());
    let wording = Wording::new(&catalogue);
    let filter = Expression::of_words(&args.filter)?;
    let output = Output::new(&args.output, args.ring.map(|size| size.0), args.overwrite)?;
    // The process that creates the files starts before any socket is open, so that it inherits no access to
    // packets.
    let mut output = output.hand_over()?;
    let capturing = if args.payload {
        Capturing::TcpWithPayload { snaplen: args.snap }
    } else {
        Capturing::TcpHeaders { snaplen: args.snap }
    };
    let ring =
        if args.no_packets { None } else { Some(open_ring(&args.interface, capturing, wording, "record-no-right")?) };
    let stop = Stop::on_signals()?;
    let kernel_release = kernel_release().unwrap_or_default();
    let heading = Heading {
        // A file without packets needs a link type, too.
        link_type: ring.as_ref().map_or(PacketRing::COOKED, PacketRing::link_type),
        snaplen: args.snap,
        interface: args.interface.clone(),
        system: format!("Linux {kernel_release}"),
    };
    let link_type = heading.link_type;
    output.begin(heading)?;
    rights::confine(&rights::watching(false))?;
    let mut watch = Watch::start_sampling(false, Budget::new(args.cpu.0, args.rate.into()), LiveHost::new())?;
    watch.log = Some(Log::new(filter.clone()));
    let host = RecordedHost {
        began: watch.began_at(),
        name: host_name().unwrap_or_default(),
        kernel_release,
        // If the settings cannot be read, the recording has none.
        settings: tcpwhy_live::sysctl_text().unwrap_or_default(),
    };
    let mut recorder = Recorder {
        args,
        packets: PacketFilter::new(filter.clone(), link_type),
        filter,
        ring,
        output,
        watch,
        host,
        counts: PacketCounts::default(),
        written: 0,
        next_list: Instant::now(),
        has_told_of_ring: false,
    };
    let result = recorder.open_file(Opening::First).and_then(|()| recorder.record(&stop, wording));
    // After an error too, the remaining data must reach the file.
    let finished = recorder.finish();
    if !args.quiet {
        recorder.say(wording);
    }
    result.and(finished).map(|()| ExitStatus::SUCCESS)
}

struct Recorder<'a> {
    args: &'a RecordArgs,
    filter: Option<Expression>,
    packets: PacketFilter,
    ring: Option<PacketRing>,
    output: Output,
    watch: Watch,
    host: RecordedHost,
    counts: PacketCounts,
    /// Packets written.
    written: u64,
    next_list: Instant,
    /// Whether the warning that the ring is small for this host was printed.
    has_told_of_ring: bool,
}

/// Whether a file is the first of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// The first file: no socket was sampled yet.
    First,
    /// A later file of a ring.
    Later,
}

impl Recorder<'_> {
    /// Records until a signal, the duration or an error ends it.
    fn record(&mut self, stop: &Stop, wording: Wording<'_>) -> Result<()> {
        let began = Instant::now();
        let mut end = self.args.duration.map(|length| began + length.0);
        let mut is_waiting = self.args.when.is_some();
        while !stop.is_asked() && end.is_none_or(|end| Instant::now() < end) {
            let has_more = self.take_packets()?;
            let now = Instant::now();
            if now >= self.watch.due() {
                self.watch.step()?;
                drop(self.watch.host.take_ended());
                if is_waiting && self.is_triggered(wording) {
                    is_waiting = false;
                    let after = now + AFTER;
                    end = Some(end.map_or(after, |end| end.min(after)));
                }
            }
            self.write_lists(now >= self.next_list)?;
            if self.output.is_part_full() {
                self.write_lists(true)?;
                self.output.next()?;
                self.open_file(Opening::Later)?;
                self.tell_of_ring(wording);
            }
            if !has_more {
                // Flushed before waiting, so that a crash loses nothing.
                self.output.writer()?.flush()?;
                let until = self.watch.due().min(self.next_list);
                let left = until.min(end.unwrap_or(until)).saturating_duration_since(Instant::now()).min(PATIENCE);
                match &self.ring {
                    Some(ring) => ring.wait(left).with_context(|| self.args.interface.clone())?,
                    None => std::thread::sleep(left),
                }
            }
        }
        Ok(())
    }

    /// Writes at most [`BLOCKS_AT_ONCE`] blocks of packets; returns whether there may be more.
    fn take_packets(&mut self) -> Result<bool> {
        for _ in 0..BLOCKS_AT_ONCE {
            if !self.take_block()? {
                return Ok(false);
            }
            if self.output.is_part_full() {
                break;
            }
        }
        Ok(true)
    }

    /// Writes the packets of the next block; returns whether there was one.
    fn take_block(&mut self) -> Result<bool> {
        let Some(ring) = &mut self.ring else { return Ok(false) };
        let (writer, packets, written) = (self.output.writer()?, &mut self.packets, &mut self.written);
        let has_block = ring.take_block(|packet| {
            if packets.wants(packet) {
                *written += 1;
                writer.packet(packet.time, packet.data, packet.original_len)?;
            }
            Ok(())
        });
        has_block.context(failure("recording-packets"))
    }

    /// Writes the full lists; if it `is_due`, also the partial one and the counters of the recording.
    fn write_lists(&mut self, is_due: bool) -> Result<()> {
        if is_due {
            self.next_list = Instant::now() + LIST_EVERY;
            self.count_packets()?;
            let effort = self.effort();
            if let Some(log) = &mut self.watch.log {
                log.effort(&effort);
            }
        }
        let Some(log) = &mut self.watch.log else { return Ok(()) };
        while let Some(list) = log.take_full() {
            self.output.writer()?.kernel_list(&list)?;
        }
        if is_due {
            if let Some(list) = log.take_rest() {
                self.output.writer()?.kernel_list(&list)?;
            }
            if self.ring.is_some() {
                let (time, PacketCounts { packets, drops }) = (self.watch.now(), self.counts);
                self.output.writer()?.statistics(time, packets, drops)?;
            }
        }
        Ok(())
    }

    fn count_packets(&mut self) -> Result<()> {
        if let Some(ring) = &self.ring {
            let since = ring.counts().context(failure("counting-packets"))?;
            self.counts.packets += since.packets;
            self.counts.drops += since.drops;
        }
        Ok(())
    }

    /// The counters of the recording, with the packets counted so far.
    fn effort(&self) -> RecordedEffort {
        let (effort, nanos) = (self.watch.effort(), |time: Duration| time.as_nanos() as u64);
        RecordedEffort {
            time: nanos(effort.time),
            cpu: nanos(effort.cpu),
            budget: self.watch.budget(),
            samples: effort.samples,
            dumps: effort.dumps,
            namespaces: self.watch.namespaces() as u64,
            packets: self.counts.packets,
            drops: self.counts.drops,
            blind: self.watch.blind().into_iter().map(|blind| blind.id().to_owned()).collect(),
        }
    }

    /// Opens a file that can be read without the others: it has the host, the earlier counters and all open
    /// sockets.
    fn open_file(&mut self, opening: Opening) -> Result<()> {
        let effort = self.effort();
        if let Some(log) = &mut self.watch.log {
            log.host(&self.host);
            // The counters at the start of the file, which readers subtract.
            log.effort(&effort);
        }
        match opening {
            Opening::First => self.watch.step()?,
            // The same order as in the first file: listening sockets, connections, then their processes.
            Opening::Later => {
                self.watch.look_at_all_again()?;
                self.name_sockets()?;
            }
        }
        self.write_lists(true)?;
        self.output.note_opening();
        Ok(())
    }

    /// Warns once if the list of sockets at the start of each file takes most of the ring.
    fn tell_of_ring(&mut self, wording: Wording<'_>) {
        if let Some(wanted) = self.output.wanted_ring().filter(|_| !self.has_told_of_ring) {
            self.has_told_of_ring = true;
            let args = Args::new().text("size", wording.units().bytes(wanted));
            message::say(wording.catalogue().text("record-ring-small", &args));
        }
    }

    /// Writes the sockets' processes into a later file: they are known, so they are not searched for again.
    fn name_sockets(&mut self) -> Result<()> {
        let Watch { log, host, .. } = &mut self.watch;
        let Some(log) = log else { return Ok(()) };
        for connection in host.connections() {
            if let Some(process) = connection.process() {
                log.process(connection.key(), process);
            }
            if let Some(locks) = connection.socket().locks {
                log.locks(connection.key(), locks);
            }
        }
        self.write_lists(false)
    }

    fn is_triggered(&self, wording: Wording<'_>) -> bool {
        let Some(trigger) = &self.args.when else { return false };
        let now = self.watch.now();
        let is_wanted = |local: &SocketAddress, peer: &SocketAddress| is_wanted(self.filter.as_ref(), local, peer);
        let mut connections = self.watch.host.connections();
        let Some(found) = connections.find(|c| is_wanted(c.local(), c.peer()) && trigger.holds(c, now)) else {
            return false;
        };
        let process = found.process().map_or_else(|| wording.catalogue().word("live-nobody-known"), |p| p.name.clone());
        let args = Args::new()
            .text("process", process)
            .text("local", found.local().to_string())
            .text("peer", found.peer().to_string())
            .text("when", trigger.to_string())
            .text("time", wording.units().seconds(AFTER.as_secs_f64()));
        message::say(wording.catalogue().text("record-triggered", &args));
        true
    }

    /// Writes the remaining data.
    fn finish(&mut self) -> Result<()> {
        // Even if the last scan fails, the remaining packets must reach the file.
        let looked = self.watch.look_at_all();
        if self.ring.is_some() {
            let mut ending = Ending::begin(Instant::now());
            loop {
                let had_block = self.take_block()?;
                if ending.is_over(had_block, Instant::now()) {
                    break;
                }
                if !had_block
                    && let Some(ring) = &self.ring
                    && ring.wait(PacketRing::patience()).is_err()
                {
                    // A removed interface has no more packets.
                    break;
                }
            }
        }
        self.write_lists(true)?;
        self.output.writer()?.flush()?;
        looked
    }

    /// Prints the summary.
    fn say(&self, wording: Wording<'_>) {
        let (catalogue, units) = (wording.catalogue(), wording.units());
        let [first, last] = self.output.files();
        let mut args = Args::new()
            .text("time", units.seconds(self.watch.effort().time.as_secs_f64()))
            .number("packets", self.written)
            .number("samples", self.watch.effort().samples)
            .number("connections", self.watch.host.seen());
        let bytes = self.output.bytes();
        match (first, last) {
            (Some(first), Some(last)) if first != last => {
                args = args.text("first", visible_name(first.as_os_str()));
                file::say_written_as(wording, "record-done-ring", args, &last, bytes);
            }
            (Some(name), _) => file::say_written_as(wording, "record-done", args, &name, bytes),
            (None, _) => message::say(catalogue.text("record-done-output", &args)),
        }
        if self.counts.drops > 0 {
            let args = Args::new()
                .number("drops", self.counts.drops)
                .text("share", units.share(self.counts.drops as f64 / self.counts.packets.max(1) as f64));
            message::say(catalogue.text("record-dropped", &args));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};

    use tcpwhy_engine::recorded::Replay;
    use tcpwhy_model::live::SocketKey;
    use tcpwhy_report::Language;
    use tcpwhy_report::dto::{Connection, Presentation};

    use super::*;

    /// Every connection of `host`, open or closed, as JSON.
    fn shown(host: &mut LiveHost) -> BTreeMap<SocketKey, serde_json::Value> {
        let catalogue = Catalogue::new(Language::English);
        let presentation = Presentation { with_timeline: true, ..Presentation::new(Wording::new(&catalogue)) };
        let ended = host.take_ended();
        let all = ended.iter().map(|c| &**c).chain(host.connections());
        all.map(|c| (c.key(), serde_json::to_value(Connection::live(c, presentation)).unwrap())).collect()
    }

    /// Uses the present sockets of this machine, some of which open and close during the test.
    #[test]
    fn what_was_watched_is_what_is_watched_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        let mut watch = Watch::start_sampling(false, Budget::new(1.0, 20.0), LiveHost::with_intervals()).unwrap();
        let mut log = Log::new(None);
        let settings = tcpwhy_live::sysctl_text().unwrap();
        log.host(&RecordedHost { settings, ..RecordedHost::default() });
        watch.log = Some(log);
        let end = Instant::now() + Duration::from_millis(1200);
        let mut passing = Some(TcpStream::connect(address).unwrap());
        while Instant::now() < end {
            watch.step().unwrap();
            client.write_all(&[1; 5000]).unwrap();
            server.read_exact(&mut [0; 5000]).unwrap();
            if end.saturating_duration_since(Instant::now()) < Duration::from_millis(500) {
                passing = None;
            }
            std::thread::sleep(Duration::from_millis(7));
        }
        drop(passing);
        watch.look_at_all().unwrap();
        let mut replay = Replay::with_intervals();
        let log = watch.log.as_mut().unwrap();
        while let Some(list) = log.take_full() {
            replay.take(&list);
        }
        replay.take(&log.take_rest().unwrap());
        assert_eq!((replay.unreadable, replay.unknown), (0, 0));
        watch.host.finish();
        replay.host.finish();
        let (intervals, again) = (watch.host.take_intervals(), replay.host.take_intervals());
        let missing: Vec<_> = intervals.iter().filter(|i| !again.contains(i)).collect();
        let invented: Vec<_> = again.iter().filter(|i| !intervals.contains(i)).collect();
        assert!(missing.is_empty() && invented.is_empty(), "watched {missing:#?}, watched again {invented:#?}");
        assert_eq!(again, intervals, "in the same order");
        let (watched, again) = (shown(&mut watch.host), shown(&mut replay.host));
        assert!(watched.len() >= 2, "both ends of one connection at least");
        assert_eq!(again, watched);
    }
}
