//! One socket, driven by a script.

use std::collections::VecDeque;

use tcpwhy_kernel::{KernelVersion, Link, Sysctl, initial_autotuned_sndbuf};

use super::check::{Variables, check};
use super::script::{At, Call, Event, Packet, Script, number};
use crate::rules::{Algorithm, HostRules, Rules, SocketOptions};
use crate::segment::{Kind, Notification, SACK_BLOCKS, Segment};
use crate::socket::{Ending, Socket};
use crate::time::{MILLISECOND, SECOND, Time};

/// Settings at the start of all scripts (`gtests/net/tcp/common/defaults.sh`), as far as they are simulated.
const DEFAULTS: [&str; 5] = [
    "net.ipv4.tcp_rmem=4096 540000 15728640",
    "net.ipv4.tcp_wmem=4096 262144 4194304",
    "net.ipv4.tcp_slow_start_after_idle=0",
    "net.ipv4.tcp_early_retrans=4",
    "net.ipv4.tcp_ecn=0",
];
/// The kernel version that the scripts expect.
const VERSION: KernelVersion = KernelVersion::series(6, 18);
/// Scripts start one second after the machine's boot.
const BEGIN: Time = SECOND;
/// Payload of a full segment without options on the scripts' device.
const FULL: u64 = 1_460;

/// One socket, and the state of the script.
pub(super) struct Driver {
    host: HostRules,
    socket: Option<Socket>,
    now: Time,
    /// Segments that were sent and are not expected yet.
    out: VecDeque<(Time, Segment)>,
    /// Window scale of the peer.
    peer_scale: u8,
    /// Socket options set before the connection.
    options: SocketOptions,
    largest_segment: Option<u64>,
    most_unsent: Option<u64>,
    is_nonblocking: bool,
    /// Remaining bytes of a blocked `write()`.
    blocked: u64,
    variables: Variables,
    /// Offset from our timestamps to those of the script, milliseconds.
    stamps_from: Option<i64>,
    tolerance: Time,
    cuts_bursts: bool,
}

impl Driver {
    /// A driver for a machine with `ticks_a_second` ticks per second (`CONFIG_HZ`) that booted `booted_for`
    /// earlier.
    pub(super) fn new(script: &Script, ticks_a_second: u64, booted_for: Time) -> Result<Self, String> {
        let defaults = HostRules { ticks_a_second, booted_for, ..HostRules::defaults(VERSION) };
        let mut host = defaults;
        for setting in DEFAULTS.into_iter().chain(script.sysctls.iter().map(String::as_str)) {
            if let Some(name) = setting.strip_prefix("net.ipv4.tcp_congestion_control=") {
                host.algorithm = Algorithm::from_name(name).ok_or_else(|| format!("not simulated: {name}"))?;
                continue;
            }
            // Settings of other kernels or other subsystems have no effect here.
            let _ = host.sysctls.assign(setting);
        }
        Ok(Self {
            host,
            socket: None,
            now: BEGIN,
            out: VecDeque::new(),
            peer_scale: 0,
            options: SocketOptions::default(),
            largest_segment: None,
            most_unsent: None,
            is_nonblocking: false,
            blocked: 0,
            variables: Variables::new(),
            stamps_from: None,
            tolerance: script.tolerance,
            cuts_bursts: script.cuts_bursts,
        })
    }

    pub(super) fn run(mut self, script: &Script) -> Result<(), String> {
        let answer = script.steps.iter().find_map(|step| match &step.event {
            Event::In(packet) if packet.flags.starts_with('S') => Some(packet.clone()),
            _ => None,
        });
        for step in &script.steps {
            let failed = |what: String| format!("line {}: {what}", step.line);
            let at = match step.at {
                At::Absolute(time) => BEGIN + time,
                At::After(time) => self.now + time,
                At::Any => self.now,
            };
            match &step.event {
                Event::Out(packet) => {
                    self.expect([at, at + step.within], packet, step.at == At::Any).map_err(failed)?;
                }
                event => {
                    self.advance(at);
                    match event {
                        Event::In(packet) => self.receive(packet).map_err(failed)?,
                        Event::Call(call) => self.call(call, answer.as_ref()).map_err(failed)?,
                        Event::Check(text) => {
                            let socket = self.socket.as_ref().ok_or("no socket").map_err(|e| failed(e.to_owned()))?;
                            check(text, socket, &mut self.variables).map_err(failed)?;
                        }
                        Event::Out(_) => {}
                    }
                    self.settle();
                }
            }
        }
        Ok(())
    }

    /// Runs the timers until `at`.
    fn advance(&mut self, at: Time) {
        while let Some(due) = self.socket.as_ref().and_then(Socket::next_timer).filter(|&due| due <= at) {
            self.now = self.now.max(due);
            if let Some(socket) = &mut self.socket {
                socket.on_timer(due.max(self.now));
            }
            self.settle();
        }
        self.now = self.now.max(at);
    }

    /// Sent segments leave the host at once, and a blocked writer continues.
    fn settle(&mut self) {
        let Some(socket) = &mut self.socket else { return };
        loop {
            while let Some(burst) = socket.poll_transmit() {
                self.out.push_back((self.now, burst.segment));
            }
            if self.blocked == 0 || !socket.take_wake().writer {
                break;
            }
            self.blocked -= write(socket, self.now, self.blocked, Ending::default());
        }
    }

    /// Expects `packet` as the next sent packet, at this time.
    fn expect(&mut self, [at, until]: [Time; 2], packet: &Packet, is_any_time: bool) -> Result<(), String> {
        let latest = if is_any_time { at + 100 * SECOND } else { until + self.tolerance };
        while self.out.is_empty() {
            let due = self.socket.as_ref().and_then(Socket::next_timer).filter(|&due| due <= latest);
            self.advance(due.ok_or_else(|| format!("nothing leaves: {packet:?}"))?);
        }
        let (time, mut segment) = self.out.pop_front().ok_or("nothing leaves")?;
        // Scripts count consecutive packets as one (`run_packet.c`).
        while segment.kind == Kind::Plain && segment.len > 0 && segment.len < packet.len {
            let follows = |next: &Segment| next.seq == segment.end() && next.len > 0;
            let Some(&(_, next)) = self.out.front().filter(|(_, next)| follows(next)) else { break };
            self.out.pop_front();
            segment = Segment { seq: segment.seq, len: segment.len + next.len, ..next };
        }
        let mss = self.socket.as_ref().map_or(FULL, Socket::segment_size);
        if self.cuts_bursts && segment.kind == Kind::Plain && segment.len > mss {
            let rest = Segment { seq: segment.seq + mss, len: segment.len - mss, ..segment };
            self.out.push_front((time, rest));
            segment = Segment { len: mss, is_push: false, is_fin: false, ..segment };
        }
        if !is_any_time && (time + self.tolerance < at || time > latest) {
            let early = (time as f64 - at as f64) / 1e6;
            return Err(format!("{early:+.1} ms: {}", Self::shown(&segment, packet)));
        }
        self.now = self.now.max(time);
        self.compare(time, &segment, packet)
    }

    fn shown(segment: &Segment, packet: &Packet) -> String {
        let (seq, ack) = (segment.seq + 1, segment.ack + 1);
        let sack: Vec<_> = blocks(segment);
        format!(
            "{:?} {seq}:{}({}) ack {ack} win {} push {} fin {} sack {sack:?} {:?}, expected {packet:?}",
            segment.kind,
            seq + segment.len,
            segment.len,
            segment.window,
            segment.is_push,
            segment.is_fin,
            segment.ecn,
        )
    }

    fn compare(&mut self, time: Time, segment: &Segment, packet: &Packet) -> Result<(), String> {
        let is_opening = matches!(segment.kind, Kind::Syn | Kind::SynAck);
        let first = u64::from(!is_opening);
        let echoes = if segment.ecn.echoes { "E" } else { "" };
        let reduced = if segment.ecn.has_reduced { "W" } else { "" };
        let flags = match segment.kind {
            Kind::Syn => format!("S{echoes}{reduced}"),
            Kind::SynAck => format!("S{echoes}."),
            Kind::Reset => packet.flags.clone(),
            Kind::Plain => {
                let fin = if segment.is_fin { "F" } else { "" };
                let push = if segment.is_push && segment.len > 0 { "P" } else { "" };
                format!("{fin}{push}{echoes}{reduced}.")
            }
        };
        let sorted = |flags: &str| {
            let mut letters: Vec<_> = flags.chars().collect();
            letters.sort_unstable();
            letters
        };
        let scale = if is_opening { 0 } else { self.own_scale() };
        let is_same = sorted(&flags) == sorted(&packet.flags)
            && segment.kind == kind(&packet.flags)
            && (segment.seq + first, segment.len) == (packet.seq, packet.len)
            && packet.ack.is_none_or(|ack| segment.kind == Kind::Reset || segment.ack + 1 == ack)
            && packet.window.is_none_or(|window| segment.window >> scale == window)
            && (packet.sack.is_empty() || blocks(segment) == packet.sack)
            && packet.ecn.as_deref().is_none_or(|ecn| (ecn == "ect0") == segment.ecn.is_capable);
        if !is_same {
            return Err(Self::shown(segment, packet));
        }
        if let (Some([value, echo]), true) = (packet.stamps, segment.has_stamps) {
            let (stamp, echoed) = (segment.stamp / MILLISECOND, segment.echo / MILLISECOND);
            let from = *self.stamps_from.get_or_insert(value.cast_signed() - stamp.cast_signed());
            let off = (stamp.cast_signed() + from - value.cast_signed()).unsigned_abs() * MILLISECOND;
            if off > self.tolerance || (segment.kind != Kind::Syn && echoed != echo) {
                return Err(format!("stamps {} {echoed} at {time}: {packet:?}", stamp.cast_signed() + from));
            }
        }
        Ok(())
    }

    fn own_scale(&self) -> u8 {
        self.socket.as_ref().and_then(|socket| socket.rules.window_scale).unwrap_or(0)
    }

    /// Passes the peer's packet to the socket.
    fn receive(&mut self, packet: &Packet) -> Result<(), String> {
        if self.socket.is_none() {
            if kind(&packet.flags) != Kind::Syn {
                return Err("not simulated: a packet to no socket".to_owned());
            }
            self.socket = Some(self.socket_for(packet, false));
        }
        let is_opening = packet.flags.contains('S');
        let scale = if is_opening { 0 } else { self.peer_scale };
        let mut sack = [(0, 0); SACK_BLOCKS];
        let una = packet.ack.unwrap_or(1).saturating_sub(1);
        let mut given: Vec<_> = packet.sack.iter().map(|&(from, to)| (from - 1, to - 1)).collect();
        // A block below the acknowledgment, or inside the second block, reports a duplicate (RFC 2883).
        let is_double = given.first().is_some_and(|first| {
            first.1 <= una || given.get(1).is_some_and(|second| second.0 <= first.0 && first.1 <= second.1)
        });
        let dsack = is_double.then(|| given.remove(0));
        sack.iter_mut().zip(given).for_each(|(place, block)| *place = block);
        let stamps = packet.stamps.map(|[value, echo]| {
            let from = self.stamps_from.unwrap_or(0);
            let echo = (echo.cast_signed() - from).max(0).unsigned_abs() * MILLISECOND;
            [value * MILLISECOND, if from == 0 && is_opening { 0 } else { echo }]
        });
        let [stamp, echo] = stamps.unwrap_or_default();
        let Some(socket) = &mut self.socket else { return Ok(()) };
        let mss = socket.rules.mss.max(1);
        let segment = Segment {
            kind: kind(&packet.flags),
            seq: packet.seq.saturating_sub(1),
            len: packet.len,
            is_fin: packet.flags.contains('F'),
            is_push: packet.flags.contains('P'),
            ack: una,
            window: packet.window.unwrap_or(0) << scale,
            sack,
            dsack,
            has_stamps: packet.stamps.is_some(),
            stamp,
            echo,
            frames: packet.len.div_ceil(mss).max(1),
            size: if packet.len > mss { mss } else { 0 },
            ecn: Notification {
                is_capable: packet.ecn.as_deref() == Some("ect0"),
                is_marked: packet.ecn.as_deref() == Some("ce"),
                echoes: packet.flags.contains('E'),
                has_reduced: packet.flags.contains('W'),
            },
        };
        socket.on_segment(self.now, &segment);
        Ok(())
    }

    /// A socket whose options are those that SYN and SYN-ACK negotiate.
    fn socket_for(&mut self, peer: &Packet, is_opener: bool) -> Socket {
        let has_stamps = peer.stamps.is_some();
        let link = Link { has_timestamps: has_stamps, ..Link::ETHERNET };
        let mut rules = Rules::new(&self.host, &self.options, &link);
        rules.is_opener = is_opener;
        let stamps = FULL - rules.mss;
        let largest = self.largest_segment.unwrap_or(FULL).min(FULL);
        (rules.announced_mss, rules.advertised_mss) = (largest, largest - stamps);
        rules.mss = peer.mss.unwrap_or(536).min(largest) - stamps;
        // `tcp_sndbuf_expand` counts segments of the peer's size.
        let header = link.max_tcp_header(VERSION).value;
        let expanded = initial_autotuned_sndbuf(rules.mss + stamps, header, false);
        rules.memory_per_segment = expanded / (2 * rules.initial_window);
        if let Some(wmem) = self.host.sysctls.triple(Sysctl::TcpWmem).filter(|_| !rules.is_sndbuf_set) {
            rules.sndbuf = wmem[1].max(expanded.min(wmem[2]));
        }
        rules.has_sack &= peer.permits_sack;
        rules.ecn.is_used = peer.flags.contains('E') && if is_opener { rules.ecn.asks } else { rules.ecn.agrees };
        self.peer_scale = peer.window_scale.unwrap_or(0);
        if peer.window_scale.is_none() {
            rules.window_scale = None;
        }
        if let Some(most) = self.most_unsent {
            rules.most_unsent = most;
        }
        let mut socket = Socket::new(rules);
        // Memory is released at once, as on a TUN device (`skb_orphan` in `tun_net_xmit`).
        socket.set_leaves_at_once(true);
        socket
    }

    fn call(&mut self, call: &Call, answer: Option<&Packet>) -> Result<(), String> {
        let value = |place: usize| {
            let text = call.arguments.get(place).map_or("", String::as_str);
            number(text.trim_matches(|c| "[]".contains(c)))
        };
        let bytes = |place| value(place).and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default();
        let unknown = || format!("not simulated: {}({})", call.name, call.arguments.join(", "));
        match call.name.as_str() {
            "socket" | "bind" | "listen" | "accept" => {}
            "connect" => {
                let peer = answer.cloned().unwrap_or_default();
                let mut socket = self.socket_for(&peer, true);
                socket.open(self.now);
                self.socket = Some(socket);
            }
            "fcntl" => self.is_nonblocking = call.arguments.iter().any(|text| text.contains("O_NONBLOCK")),
            "setsockopt" => self.set(call.arguments.get(2).map_or("", String::as_str), bytes(3)).ok_or_else(unknown)?,
            "getsockopt" => {
                let got = match (call.arguments.get(2).map(String::as_str), &self.socket) {
                    (Some("TCP_MAXSEG"), Some(socket)) => socket.segment_size(),
                    (Some("TCP_MAXSEG"), None) => self.largest_segment.unwrap_or(536),
                    (Some("TCP_NOTSENT_LOWAT"), _) => self.most_unsent.unwrap_or_default(),
                    _ => return Err(unknown()),
                };
                if got != bytes(3) {
                    return Err(format!("{}: {got}", call.arguments.join(", ")));
                }
            }
            "write" | "send" | "sendmsg" => {
                let socket = self.socket.as_mut().ok_or_else(unknown)?;
                let flags = call.arguments.get(if call.name == "sendmsg" { 2 } else { 3 }).map_or("", String::as_str);
                let ending = Ending { more: flags == "MSG_MORE", record: flags == "MSG_EOR" };
                if !matches!(flags, "" | "0" | "MSG_MORE" | "MSG_EOR") {
                    return Err(unknown());
                }
                // The size of a message is the sum of its parts, all of which are accepted here.
                let asked = if call.name == "sendmsg" { call.result.max(0).unsigned_abs() } else { bytes(2) };
                let taken = write(socket, self.now, asked, ending);
                if self.is_nonblocking {
                    let result = if taken == 0 { -1 } else { taken.cast_signed() };
                    if result != call.result {
                        return Err(format!("write() took {taken}, expected {}", call.result));
                    }
                } else {
                    self.blocked = asked - taken;
                    if self.blocked > 0 {
                        socket.await_room();
                    }
                }
            }
            "read" | "recv" => {
                let socket = self.socket.as_mut().ok_or_else(unknown)?;
                let read = socket.read(self.now, bytes(2)).map_or(-1, u64::cast_signed);
                if read != call.result {
                    return Err(format!("read() took {read}, expected {}", call.result));
                }
            }
            "poll" => {
                let socket = self.socket.as_ref().ok_or_else(unknown)?;
                let is_asked = call.arguments.first().is_some_and(|text| text.contains("revents=POLLOUT"));
                if is_asked != socket.is_writeable() {
                    // `poll()` may return later, within its own timeout.
                    return if is_asked { Ok(()) } else { Err("it is writeable".to_owned()) };
                }
            }
            "close" | "shutdown" => {
                let now = self.now;
                let is_whole = call.name == "close";
                if call.arguments.get(1).is_some_and(|how| how == "SHUT_RD") {
                    return Ok(());
                }
                if let Some(socket) = &mut self.socket {
                    if is_whole && socket.is_readable() { socket.reset(now) } else { socket.finish(now) }
                }
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Sets a socket option; `None` if it is not simulated.
    fn set(&mut self, name: &str, value: u64) -> Option<()> {
        match name {
            "SO_REUSEADDR" | "IP_MTU_DISCOVER" | "IP_TOS" => {}
            "SO_SNDBUF" | "SO_RCVBUF" => {
                let [sndbuf, rcvbuf] = ["SO_SNDBUF", "SO_RCVBUF"].map(|own| (own == name).then_some(value));
                if let Some(socket) = &mut self.socket {
                    socket.set_buffers(sndbuf, rcvbuf);
                } else {
                    self.options.sndbuf = sndbuf.or(self.options.sndbuf);
                    self.options.rcvbuf = rcvbuf.or(self.options.rcvbuf);
                }
            }
            "TCP_NODELAY" => match &mut self.socket {
                Some(socket) => {
                    socket.set_nodelay(self.now, value != 0);
                }
                None => self.options.has_nodelay = value != 0,
            },
            "TCP_CORK" => self.socket.as_mut()?.set_cork(self.now, value != 0),
            "TCP_MAXSEG" if self.socket.is_none() => self.largest_segment = Some(value),
            "TCP_NOTSENT_LOWAT" => {
                self.most_unsent = Some(value);
                if let Some(socket) = &mut self.socket {
                    socket.set_most_unsent(value);
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// Bytes that a `write()` accepts before it blocks.
fn write(socket: &mut Socket, now: Time, bytes: u64, ending: Ending) -> u64 {
    let mut left = bytes;
    while left > 0 {
        let taken = socket.write_some(now, left, left < bytes);
        if taken == 0 {
            break;
        }
        left -= taken;
    }
    socket.end_send(now, ending);
    bytes - left
}

fn kind(flags: &str) -> Kind {
    match (flags.contains('S'), flags.contains('.'), flags.contains('R')) {
        (_, _, true) => Kind::Reset,
        (true, true, _) => Kind::SynAck,
        (true, false, _) => Kind::Syn,
        (false, ..) => Kind::Plain,
    }
}

/// SACK blocks in the script's notation: a duplicate first, numbers from 1.
fn blocks(segment: &Segment) -> Vec<(u64, u64)> {
    let all = segment.dsack.into_iter().chain(segment.sack).filter(|block| block.1 > block.0);
    all.take(segment.sack_room()).map(|(from, to)| (from + 1, to + 1)).collect()
}
