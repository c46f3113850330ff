//! Properties for arbitrary settings.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use proptest::prelude::*;
use tcpwhy_kernel::{
    AutotuningLevel, BufferKind, BufferRequest, Change, Coverage, Device, KernelVersion, Link, Question,
    ReceiveQuestion, SendQuestion, Sysctl, SysctlShape, SysctlValue, Sysctls, When, WriteMode, Writer, Writing,
    answer_receive, answer_send, rate_by_request, receive_limits, receive_remedies, send_limits, send_remedies,
};
use tcpwhy_model::Rate;

fn version() -> impl Strategy<Value = KernelVersion> {
    prop::sample::select(vec![
        "3.10", "3.10.108", "3.12", "4.9", "4.19.85", "4.19", "5.15", "6.1.192", "6.5", "6.6.10", "6.6.40", "6.6.60",
        "6.12", "6.18.44", "7.0", "7.3",
    ])
    .prop_map(|text| text.parse().unwrap())
}

fn when() -> impl Strategy<Value = When> {
    prop::sample::select(vec![When::BeforeConnect, When::OnListener, When::AfterConnect, When::AfterData])
}

fn link() -> impl Strategy<Value = Link> {
    let device = prop::sample::select(vec![Device::Nic, Device::Local, Device::LocalSingle]);
    (prop::sample::select(vec![68, 576, 1280, 1500, 9000, 65_536]), device)
        .prop_map(|(mtu, device)| Link::new(mtu, device))
}

fn sysctls() -> impl Strategy<Value = Sysctls> {
    (0_i64..1 << 31, 4096_u64..1 << 30, 4096_u64..1 << 30, 4096_u64..1 << 26).prop_map(|(max, rmem, wmem, start)| {
        let mut sysctls = Sysctls::new();
        sysctls.set(Sysctl::RmemMax, SysctlValue::Number(max));
        sysctls.set(Sysctl::WmemMax, SysctlValue::Number(max));
        sysctls.set(Sysctl::TcpRmem, SysctlValue::Triple([4096, start.min(rmem), rmem]));
        sysctls.set(Sysctl::TcpWmem, SysctlValue::Triple([4096, start.min(wmem), wmem]));
        sysctls
    })
}

fn writing() -> impl Strategy<Value = Writing> {
    (1_u64..200_000, any::<bool>(), any::<bool>()).prop_map(|(bytes, has_nodelay, polls)| Writing {
        bytes,
        has_nodelay,
        mode: if polls { WriteMode::Polling } else { WriteMode::Blocking },
    })
}

/// Mostly realistic sizes, sometimes arbitrary ones.
fn size() -> impl Strategy<Value = i32> {
    prop_oneof![0..16 << 20, any::<i32>()]
}

proptest! {
    #[test]
    fn asking_for_more_never_gives_less(
        a in 0..i32::MAX, b in 0..i32::MAX, when in when(), version in version(), sysctls in sysctls(), link in link(), writing in writing(),
    ) {
        let (small, large) = (a.min(b), a.max(b));
        let receive = |bytes| {
            let request = Some(BufferRequest::new(bytes).set(when));
            receive_limits(&ReceiveQuestion { version, sysctls: &sysctls, request, link, window_clamp: None })
        };
        let (less, more) = (receive(small), receive(large));
        prop_assert!(less.initial_buffer.value <= more.initial_buffer.value);
        prop_assert!(less.window_scale <= more.window_scale);
        // The ratio depends on the first segments, whose size grows with the first window: a deviation of up
        // to 1/256.
        prop_assert!(less.largest_window.value <= more.largest_window.value + more.largest_window.value / 128 + 256);
        let send = |bytes| send_limits(&SendQuestion {
            version, sysctls: &sysctls, request: Some(BufferRequest::new(bytes)), link, writing, is_bbr: false, peer_window: None, notsent_lowat: None,
});
        let (less, more) = (send(small), send(large));
        prop_assert!(less.initial_buffer.value <= more.initial_buffer.value);
        prop_assert!(less.largest_flight.value <= more.largest_flight.value);
    }

    #[test]
    fn never_more_than_the_clamp(bytes in size(), when in when(), version in version(), sysctls in sysctls(), link in link()) {
        let max = u64::try_from(sysctls.number(Sysctl::RmemMax).unwrap()).unwrap();
        let request = Some(BufferRequest::new(bytes).set(when));
        let received = receive_limits(&ReceiveQuestion { version, sysctls: &sysctls, request, link, window_clamp: None });
        prop_assert!(received.initial_buffer.value <= (2 * max).max(2304));
        prop_assert!(received.largest_window.value <= received.wire_cap);
        prop_assert!(received.largest_window.high.unwrap() <= received.wire_cap);
        prop_assert!(received.syn_window.value <= 65_535);
        let sent = send_limits(&SendQuestion {
            version, sysctls: &sysctls, request, link, writing: Writing::BULK, is_bbr: false, peer_window: None, notsent_lowat: None,
});
        prop_assert!(sent.initial_buffer.value <= (2 * max).max(4608));
    }

    #[test]
    fn ranges_hold_their_value(
        bytes in prop::option::of(size()), when in when(), version in version(), sysctls in sysctls(), link in link(),
        writing in writing(), is_bbr in any::<bool>(), peer_window in prop::option::of(0_u64..1 << 24),
    ) {
        let request = bytes.map(|bytes| BufferRequest::new(bytes).set(when));
        let received = receive_limits(&ReceiveQuestion { version, sysctls: &sysctls, request, link, window_clamp: None });
        let sent = send_limits(&SendQuestion { version, sysctls: &sysctls, request, link, writing, is_bbr, peer_window, notsent_lowat: None });
        for figure in [
            received.initial_buffer, received.largest_buffer, received.syn_window, received.initial_window,
            received.largest_window, received.largest_flight,
            sent.initial_buffer, sent.largest_buffer, sent.initial_flight, sent.largest_flight,
        ] {
            prop_assert!(figure.low <= figure.value && figure.high.is_none_or(|high| figure.value <= high), "{:?}", figure);
        }
        prop_assert!(received.steps.len() > 4 && sent.steps.len() > 4);
        prop_assert_eq!(received.steps.iter().filter(|step| step.formula.is_empty()).count(), 0);
    }

    /// Arbitrary contents of a saved file.
    #[test]
    fn no_settings_panic(
        numbers in any::<[i64; 8]>(), triples in any::<[[u64; 3]; 2]>(), bytes in any::<i32>(), when in when(), version in version(),
        link in link(), writing in writing(), rtt in 1e-7..1e4_f64, bandwidth in 1.0..1e15_f64,
    ) {
        let mut sysctls = Sysctls::new();
        let of_numbers = Sysctl::ALL.iter().filter(|sysctl| sysctl.shape() == SysctlShape::Number);
        for (sysctl, number) in of_numbers.zip(numbers.iter().cycle()) {
            sysctls.set(*sysctl, SysctlValue::Number(*number));
        }
        for (sysctl, triple) in [Sysctl::TcpRmem, Sysctl::TcpWmem].into_iter().zip(triples) {
            sysctls.set(sysctl, SysctlValue::Triple(triple));
        }
        for request in [None, Some(BufferRequest::new(bytes).set(when))] {
            let question = Question {
                version, sysctls: &sysctls, sndbuf: request, rcvbuf: request, link, writer: Writer::Given(writing), is_bbr: false,
                round_trip_seconds: Some(rtt), bandwidth: Some(Rate::from_bits_per_sec(bandwidth)), transfer_bytes: Some(22_000_000), window: None, autotuning_level: AutotuningLevel::Normal, window_clamp: None, notsent_lowat: None,
};
            prop_assert!(answer_send(&question).flight.value > 0);
            for question in [question, Question { writer: Writer::Any, ..question }] {
                let flight = answer_send(&question).flight;
                let seconds = question.transfer(&flight, BufferKind::Send).unwrap();
                prop_assert!(seconds.low <= seconds.value && seconds.value <= seconds.high, "{:?}", seconds);
            }
            let side = answer_receive(&question);
            prop_assert!(side.limits.largest_window.value <= side.limits.wire_cap);
            rate_by_request(&question, BufferKind::Receive, rtt);
        }
    }

    #[test]
    fn remedies_cure(
        bytes in prop::option::of(0..1 << 22), when in when(), version in version(), wanted in 1000_u64..100_000_000,
    ) {
        let sysctls = Sysctls::defaults(version);
        let request = bytes.map(|bytes| BufferRequest::new(bytes).set(when));
        let question = SendQuestion {
            version, sysctls: &sysctls, request, link: Link::ETHERNET, writing: Writing::BULK, is_bbr: false, peer_window: None, notsent_lowat: None,
};
        for remedy in send_remedies(&question, wanted) {
            let (sysctls, request) = applied(&remedy, &sysctls, request, version);
            let cured = SendQuestion { sysctls: &sysctls, request, ..question };
            prop_assert_eq!(Coverage::of(&send_limits(&cured).largest_flight, wanted), Coverage::Covered, "{:?}", remedy);
        }
        let question = ReceiveQuestion { version, sysctls: &sysctls, request, link: Link::ETHERNET, window_clamp: None };
        let remedies = receive_remedies(&question, wanted);
        prop_assert_eq!(remedies.is_empty(), receive_limits(&question).largest_flight.value >= wanted);
        for remedy in remedies {
            let (sysctls, request) = applied(&remedy, &sysctls, request, version);
            let cured = ReceiveQuestion { sysctls: &sysctls, request, ..question };
            prop_assert!(receive_limits(&cured).largest_flight.value >= wanted, "{:?}", remedy);
        }
    }
}

/// The settings after a remedy.
fn applied(
    remedy: &[Change],
    sysctls: &Sysctls,
    request: Option<BufferRequest>,
    version: KernelVersion,
) -> (Sysctls, Option<BufferRequest>) {
    let (mut sysctls, mut request) = (sysctls.clone(), request);
    assert!(!remedy.is_empty());
    for change in remedy {
        match *change {
            Change::Unset(_) => request = None,
            Change::Ask(_, bytes) => {
                request = request.map(|r| BufferRequest { bytes: i32::try_from(bytes).unwrap(), ..r });
            }
            Change::AskEarly(_) => request = request.map(|r| r.set(When::BeforeConnect)),
            Change::Unclamp => panic!("no clamp was set"),
            Change::Enable(sysctl) => sysctls.set(sysctl, SysctlValue::Number(1)),
            Change::Raise(sysctl, bytes) => match sysctls.triple_or_default(sysctl, version) {
                Some(now) => sysctls.set(sysctl, SysctlValue::Triple([now.value[0], now.value[1], bytes])),
                None => sysctls.set(sysctl, SysctlValue::Number(i64::try_from(bytes).unwrap())),
            },
        }
    }
    (sysctls, request)
}

#[test]
fn a_negative_request_asks_for_the_most() {
    let version = KernelVersion::series(6, 18);
    let sysctls = Sysctls::defaults(version);
    for (kind, request) in [(BufferKind::Send, -1), (BufferKind::Receive, -1)] {
        let granted = tcpwhy_kernel::grant(kind, BufferRequest::new(request), &sysctls, version);
        assert_eq!(granted.reported, 8_388_608);
        assert!(granted.is_clamped());
    }
}
