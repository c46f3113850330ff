//! The closed forms of `tcpwhy-kernel` and the simulated socket agree to the byte.

use proptest::prelude::*;
use tcpwhy_kernel::{
    BufferRequest, Device, KernelVersion, Link, ReceiveQuestion, SendQuestion, Sysctl, SysctlValue, Sysctls, When,
    WriteMode, Writing, receive_limits, send_limits,
};
use tcpwhy_scenario::{End, LinkSpec};

use super::Socket;
use super::shown::State;
use crate::rules::{HostRules, Rules, SocketOptions};
use crate::segment::Segment;

/// A host, its program's request, and the link.
#[derive(Clone, Debug)]
struct Given {
    version: KernelVersion,
    sysctls: Sysctls,
    request: Option<u32>,
    link: Link,
}

impl Given {
    /// The rules of a socket that opens the connection, and of one that listens.
    fn rules(&self, options: SocketOptions) -> [Rules; 2] {
        let host = HostRules {
            sysctls: self.sysctls.clone(),
            initial_window: u64::from(u16::MAX),
            ..HostRules::defaults(self.version)
        };
        let mut both = [Rules::new(&host, &options, &self.link), Rules::new(&host, &options, &self.link)];
        let [opener, listener] = &mut both;
        Rules::agree([opener, listener], End::Sender, &LinkSpec::default().into());
        both
    }

    fn request(&self, when: When) -> Option<BufferRequest> {
        self.request.map(|bytes| BufferRequest::new(i32::try_from(bytes).unwrap()).set(when))
    }
}

fn any_version() -> impl Strategy<Value = KernelVersion> {
    let texts = [
        "4.20", "5.0.1", "5.4", "5.10.3", "5.15", "6.1.192", "6.5", "6.6.0", "6.6.40", "6.6", "6.8", "6.9.3", "6.10.0",
        "6.12", "6.16.2", "6.17.13", "6.18", "6.18.3", "6.19", "7.0.1", "7.3",
    ];
    prop::sample::select(texts.map(|text| text.parse().unwrap()).to_vec())
}

/// A number with each octave equally likely.
fn octaves(least: u32, most: u32) -> impl Strategy<Value = u64> {
    (least..=most, 0.0..1.0_f64).prop_map(|(octave, part)| ((1_u64 << octave) as f64 * (1.0 + part)) as u64)
}

prop_compose! {
    fn any_sysctls(version: KernelVersion)(
        wmem in (octaves(12, 20), octaves(20, 24)),
        rmem in (octaves(12, 22), octaves(22, 26)),
        maxima in (octaves(12, 24), octaves(12, 24)),
        adv in -2..8_i64,
        app_win in prop_oneof![Just(31_i64), 0..8_i64],
        scaling in prop::bool::weighted(0.9),
        is_known in any::<[bool; 6]>(),
    ) -> Sysctls {
        let mut sysctls = Sysctls::defaults(version);
        let number = |value: u64| SysctlValue::Number(i64::try_from(value).unwrap());
        let all = [
            (Sysctl::TcpWmem, SysctlValue::Triple([4096, wmem.0.min(46_080), wmem.1])),
            (Sysctl::TcpRmem, SysctlValue::Triple([4096, rmem.0, rmem.1])),
            (Sysctl::WmemMax, number(maxima.0)),
            (Sysctl::RmemMax, number(maxima.1)),
            (Sysctl::TcpAdvWinScale, SysctlValue::Number(adv)),
            (Sysctl::TcpAppWin, SysctlValue::Number(app_win)),
        ];
        for ((sysctl, value), is_known) in all.into_iter().zip(is_known) {
            if is_known {
                sysctls.set(sysctl, value);
            }
        }
        sysctls.set(Sysctl::TcpWindowScaling, SysctlValue::Number(scaling.into()));
        sysctls
    }
}

prop_compose! {
    fn any_given()(version in any_version())(
        version in Just(version),
        sysctls in any_sysctls(version),
        request in proptest::option::of(octaves(0, 24)),
        mtu in prop_oneof![Just(1500_u32), 576..9000_u32],
        is_ipv6 in any::<bool>(),
    ) -> Given {
        let link = Link { is_ipv6: is_ipv6 && mtu >= 1280, ..Link::new(mtu, Device::Nic) };
        Given { version, sysctls, request: request.map(|bytes| u32::try_from(bytes).unwrap()), link }
    }
}

/// Maximum bytes of a socket buffer (`sk_gso_max_size`).
const LARGEST_BUFFER: u64 = 65_535;
/// The closed forms' largest buffer. They assume 320 bytes of headers (`MAX_TCP_HEADER`) for every kernel.
const CLOSED_FORM_BUFFER: u64 = 65_536 - 320 - 1;

/// Whether fewer header bytes do not let another segment fit into the largest buffer.
const fn has_same_buffers(rules: &Rules) -> bool {
    rules.largest_burst / rules.mss == CLOSED_FORM_BUFFER / rules.mss
}

/// A socket whose peer accepts everything and acknowledges nothing, on a path without delay.
fn connected(rules: Rules, window: u64) -> Socket {
    let mut socket = Socket::new(rules);
    socket.state = State::Established;
    (socket.peer_window, socket.largest_peer_window) = (window, window);
    socket.window_end = 1 << 40;
    socket.round_trip.sample(1_000, 1_000, 0, 0, 0);
    socket.update_pacing_rate();
    socket
}

/// Sent bursts leave the host at once.
fn leave(socket: &mut Socket) {
    while let Some(burst) = socket.poll_transmit() {
        socket.on_left_host(0, burst.memory, true);
    }
}

/// Bytes that a program writes before it must wait.
fn taken(socket: &mut Socket, writing: Writing) -> u64 {
    let before = socket.queue.written();
    loop {
        if writing.mode == WriteMode::Polling && !socket.is_writeable() {
            return socket.queue.written() - before;
        }
        let mut left = writing.bytes;
        while left > 0 {
            let taken = socket.write_some(0, left, left < writing.bytes);
            leave(socket);
            if taken == 0 {
                return socket.queue.written() - before;
            }
            left -= taken;
        }
        socket.end_write(0);
        leave(socket);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The granted `SO_SNDBUF`, the autotuned buffer, and the bytes in flight with a set buffer.
    #[test]
    fn send_buffers(
        given in any_given(),
        bytes in octaves(0, 20),
        polls in any::<bool>(),
        window in octaves(10, 26),
    ) {
        let mode = if polls { WriteMode::Polling } else { WriteMode::Blocking };
        let writing = Writing { bytes, has_nodelay: true, mode };
        let question = SendQuestion {
            version: given.version,
            sysctls: &given.sysctls,
            request: given.request(When::BeforeConnect),
            link: given.link,
            writing,
            is_bbr: false,
            peer_window: Some(window),
            notsent_lowat: None,
        };
        let limits = send_limits(&question);
        let options =
            SocketOptions { sndbuf: given.request.map(u64::from), has_nodelay: true, ..SocketOptions::default() };
        let [rules, _] = given.rules(options);
        prop_assert_eq!(rules.sndbuf, limits.initial_buffer.value);
        if given.request.is_some() && has_same_buffers(&rules) {
            let mut socket = connected(rules, window);
            prop_assert_eq!(taken(&mut socket, writing), limits.largest_flight.value);
        }
    }

    /// Buffer, scale, the windows of SYN and SYN-ACK, and the first window after them.
    #[test]
    fn receive_buffers(given in any_given(), connects in any::<bool>()) {
        let when = if connects { When::BeforeConnect } else { When::OnListener };
        let question = ReceiveQuestion {
            version: given.version,
            sysctls: &given.sysctls,
            request: given.request(when),
            window_clamp: None,
            link: given.link,
        };
        let limits = receive_limits(&question);
        let options = SocketOptions { rcvbuf: given.request.map(u64::from), ..SocketOptions::default() };
        let [opener, listener] = given.rules(options);
        let rules = if connects { opener } else { listener };
        prop_assert_eq!(rules.rcvbuf, limits.initial_buffer.value);
        prop_assert_eq!(rules.window_scale.unwrap_or(0), limits.window_scale);
        let is_fixed = !given.version.is_since(6, 6);
        let mut socket = Socket::new(rules);
        let announced = if connects { limits.syn_window } else { limits.syn_ack_window };
        prop_assert_eq!(socket.receiving.first_window(), announced.value);
        socket.receiving.established(0);
        let [threshold, clamp] = socket.receiving.limits();
        // For a buffer that is not set, the closed form has the value of the listener.
        if !connects || given.request.is_some() {
            prop_assert_eq!(threshold, limits.initial_window.value);
        }
        if is_fixed && given.request.is_some() {
            prop_assert_eq!(clamp.min(limits.wire_cap), limits.window_clamp.value.min(limits.wire_cap));
        }
        if given.request.is_some() && given.link.mtu == 1500 {
            // A full segment has arrived, which since 6.6 determines the window's share of the buffer. The
            // memory of larger segments depends on the driver.
            socket.state = State::Established;
            let len = given.link.mss().min(socket.receiving.first_window());
            socket.on_data(0, &Segment { len, frames: 1, ..Segment::default() });
            let [_, clamp] = socket.receiving.limits();
            let is_scaled = limits.window_scale > 0;
            prop_assert!(!is_scaled || limits.window_clamp.admits(clamp, 0), "{clamp}: {:?}", limits.window_clamp);
        }
    }

    /// Unsent bytes with `tcp_notsent_lowat`, if that is the limit instead of the buffer.
    #[test]
    fn unsent_data(given in any_given(), bytes in octaves(0, 20), mark in octaves(8, 18)) {
        let writing = Writing { bytes, has_nodelay: true, mode: WriteMode::Blocking };
        let window = 1 << 24;
        let mut given = Given { request: Some(8 << 20), ..given };
        for (sysctl, value) in [(Sysctl::WmemMax, 8 << 20), (Sysctl::TcpNotsentLowat, mark)] {
            given.sysctls.set(sysctl, SysctlValue::Number(i64::try_from(value).unwrap()));
        }
        let question = SendQuestion {
            version: given.version,
            sysctls: &given.sysctls,
            request: given.request(When::BeforeConnect),
            link: given.link,
            writing,
            is_bbr: false,
            peer_window: Some(window),
            notsent_lowat: None,
        };
        let unsent = send_limits(&question).largest_unsent.unwrap();
        let [rules, _] = given.rules(SocketOptions { sndbuf: given.request.map(u64::from), ..SocketOptions::default() });
        if !has_same_buffers(&rules) {
            return Ok(());
        }
        let mut socket = connected(rules, window);
        // A window of 0 prevents any send.
        socket.window.size = 0;
        let found = taken(&mut socket, writing);
        prop_assert!(unsent.admits(found, 0), "{found}: {unsent:?}");
        // The closed form assumes a separate buffer for each small write, although writes share one.
        if bytes > LARGEST_BUFFER {
            prop_assert_eq!(found, unsent.value);
        }
    }
}
