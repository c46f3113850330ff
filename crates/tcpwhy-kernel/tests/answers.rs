//! Additions of an answer to its numbers: whether a path is filled, and notes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_kernel::{
    AutotuningLevel, BufferRequest, Change, Coverage, Device, Figure, Ground, Link, Note, Question, Sysctl,
    SysctlValue, Sysctls, Writer, Writing, answer_receive, answer_send, send_remedies, smallest,
};

#[test]
fn a_path_is_covered_up_to_its_product() {
    let figure = |high| Figure::range(100, 80, high, Ground::Measured);
    for (product, high, coverage) in [
        (80, Some(120), Coverage::Covered),
        (81, Some(120), Coverage::Doubtful),
        (120, Some(120), Coverage::Doubtful),
        (121, Some(120), Coverage::TooSmall),
        (121, None, Coverage::Doubtful),
    ] {
        assert_eq!(Coverage::of(&figure(high), product), coverage, "a product of {product} bytes");
    }
}

#[test]
fn the_smallest_that_is_enough() {
    assert_eq!(smallest(10, |bytes| bytes >= 7), Some(7));
    assert_eq!(smallest(10, |bytes| bytes >= 10), Some(10));
    assert_eq!(smallest(10, |bytes| bytes >= 11), None, "beyond the most");
    assert_eq!(smallest(10, |_| true), Some(1));
}

/// Notes of sender and receiver in `version` with these settings, after `change`.
fn notes(version: &str, assignments: &[&str], change: impl Fn(&mut Question<'_>)) -> [Vec<&'static str>; 2] {
    let version = version.parse().unwrap();
    let mut sysctls = Sysctls::defaults(version);
    for assignment in assignments {
        sysctls.assign(assignment).unwrap();
    }
    let mut question = Question {
        version,
        sysctls: &sysctls,
        sndbuf: None,
        rcvbuf: None,
        window_clamp: None,
        notsent_lowat: None,
        link: Link { skb_overhead: Some(832), ..Link::new(1500, Device::Local) },
        writer: Writer::Given(Writing { has_nodelay: true, ..Writing::BULK }),
        is_bbr: false,
        round_trip_seconds: None,
        bandwidth: None,
        transfer_bytes: None,
        window: None,
        autotuning_level: AutotuningLevel::Normal,
    };
    change(&mut question);
    let ids = |notes: Vec<Note>| notes.into_iter().map(Note::id).collect();
    [ids(answer_send(&question).notes), ids(answer_receive(&question).notes)]
}

const NONE: [Vec<&str>; 2] = [vec![], vec![]];

#[test]
fn sysctls_that_do_not_do_what_people_expect() {
    let larger = ["net.core.rmem_max=16777216", "net.core.wmem_max=2097152"];
    assert_eq!(notes("6.18.44", &larger, |_| ()), NONE, "half of what autotuning reaches, as it is doubled");
    let rmem = ["net.core.rmem_max=16777215", "net.core.wmem_max=2097152"];
    assert_eq!(notes("6.18.44", &rmem, |_| ()), [vec![], vec!["max-does-not-limit-autotuning"]]);
    let wmem = ["net.core.rmem_max=16777216", "net.core.wmem_max=2097151"];
    assert_eq!(notes("6.18.44", &wmem, |_| ()), [vec!["max-does-not-limit-autotuning"], vec![]]);
    let scale = |version, assignment| {
        let mut all = larger.to_vec();
        all.push(assignment);
        notes(version, &all, |_| ())[1].clone()
    };
    let ignored = vec!["adv-win-scale-ignored"];
    assert_eq!(scale("6.6.0", "net.ipv4.tcp_adv_win_scale=2"), ignored);
    assert_eq!(scale("6.6.0", "net.ipv4.tcp_adv_win_scale=1"), Vec::<&str>::new(), "the default");
    assert_eq!(scale("6.5.13", "net.ipv4.tcp_adv_win_scale=2"), Vec::<&str>::new(), "before 6.6 it counts");
}

const ROOMY: [&str; 2] = ["net.core.rmem_max=67108864", "net.core.wmem_max=67108864"];

#[test]
fn links_and_writers_that_surprise() {
    let nic = |question: &mut Question<'_>| question.link = Link { skb_overhead: Some(832), ..Link::ETHERNET };
    assert_eq!(notes("6.6.0", &ROOMY, nic), [vec![], vec!["driver-decides"]]);
    assert_eq!(notes("6.5.13", &ROOMY, nic), NONE, "half of the buffer, whatever the driver");
    let unknown = |question: &mut Question<'_>| question.link = Link::new(1500, Device::Local);
    assert_eq!(notes("6.18.44", &ROOMY, unknown), [vec!["start-depends-on-configuration"], vec![]]);
    let nagle = |question: &mut Question<'_>| {
        question.writer = Writer::Given(Writing { bytes: 1000, has_nodelay: false, ..Writing::BULK });
    };
    assert_eq!(notes("6.18.44", &ROOMY, nagle), [vec!["open-tail"], vec![]]);
    let marked = |question: &mut Question<'_>| question.notsent_lowat = Some(16_384);
    assert_eq!(notes("6.18.44", &ROOMY, marked), [vec!["unsent-is-bounded"], vec![]]);
}

#[test]
fn requests_that_surprise() {
    let send =
        |bytes| notes("6.18.44", &ROOMY, |question| question.sndbuf = Some(BufferRequest::new(bytes)))[0].clone();
    assert_eq!(send(1 << 20), ["autotuning-off"]);
    assert_eq!(send(4096), ["more-than-the-buffer", "autotuning-off"]);
    assert_eq!(send(67_108_864), ["autotuning-off"], "as large as the cap");
    assert_eq!(send(67_108_865), ["clamped", "autotuning-off"], "larger");
    let receive = |version, bytes| {
        notes(version, &ROOMY, |question| question.rcvbuf = Some(BufferRequest::new(bytes)))[1].clone()
    };
    assert_eq!(receive("6.18.44", 1 << 16), ["autotuning-off"]);
    assert_eq!(receive("6.18.44", 100 << 10), ["scale-wastes", "autotuning-off"]);
    assert_eq!(receive("6.1.192", 100 << 10), ["autotuning-off"], "half of it fits the scale");
    let clamped = |version, rcvbuf| {
        let set = |question: &mut Question<'_>| (question.rcvbuf, question.window_clamp) = (rcvbuf, Some(20_000));
        notes(version, &ROOMY, set)[1].contains(&"window-clamp-is-written-over")
    };
    assert!(!clamped("6.10.5", Some(BufferRequest::new(1 << 20))), "a set buffer before 6.11 keeps it");
    assert!(clamped("6.10.6", Some(BufferRequest::new(1 << 20))), "the first full segment writes over it");
    assert!(clamped("6.1.192", None), "autotuning writes over it");
}

/// Up to three leading bits, a little more than needed.
#[test]
fn remedies_are_numbers_to_remember() {
    let version = "6.18.44".parse().unwrap();
    let sysctls = Sysctls::defaults(version);
    let question = Question {
        version,
        sysctls: &sysctls,
        sndbuf: None,
        rcvbuf: None,
        window_clamp: None,
        notsent_lowat: None,
        link: Link::ETHERNET,
        writer: Writer::Given(Writing { has_nodelay: true, ..Writing::BULK }),
        is_bbr: false,
        round_trip_seconds: None,
        bandwidth: None,
        transfer_bytes: None,
        window: None,
        autotuning_level: AutotuningLevel::Normal,
    };
    for wanted in [5_000_000, 9_000_000, 30_000_000] {
        let remedies = send_remedies(&question.send(), wanted);
        let [Change::Raise(Sysctl::TcpWmem, bytes)] = remedies[0][..] else { panic!("{remedies:?}") };
        assert_eq!(bytes % (bytes.next_power_of_two() / 8), 0, "{bytes} has more than three leading bits");
        // A waiting writer keeps two thirds of it in flight. One step less would not be enough.
        let reach = |bytes| {
            let mut sysctls = sysctls.clone();
            sysctls.set(Sysctl::TcpWmem, SysctlValue::Triple([4096, 16_384, bytes]));
            answer_send(&Question { sysctls: &sysctls, ..question }).flight.low
        };
        let less = bytes - bytes.next_power_of_two() / 8;
        assert!(reach(bytes) >= wanted && reach(less) < wanted, "{bytes} bytes for {wanted} in flight");
    }
}
