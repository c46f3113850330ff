//! The decision table in C, which runs in the kernel, gives the same results as the one in Rust. It is
//! compiled for this machine and fed random states. This needs a C compiler, as the build does.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use tcpwhy_model::host::{BufferLocks, SocketMemory, SocketSample, TcpInfo, TcpState};
use tcpwhy_model::live::HeldBy;
use tcpwhy_watch::{SocketTraits, held_by, is_reader_slow, under_bound};

/// `struct state` of `decide.h`.
const PROGRAM: &str = r#"
#include <stdio.h>
#include "decide.h"
int main(void)
{
    struct state s;
    while (fread(&s, sizeof s, 1, stdin) == 1) {
        enum held_by held = decide(&s);
        putchar(held);
        putchar(under_bound(&s, held));
        /* Any number of the state does for the window that is offered. */
        putchar(is_reader_slow(s.unread, s.window, s.mss));
    }
    return 0;
}
"#;

/// Tests of timeouts in `decide.h`; the exit status is the line of the first assertion that fails.
const TIMES: &str = r#"
#include "decide.h"
#define SECOND 1000000000ULL
#define HOLDS(what) if (!(what)) return __LINE__
int main(void)
{
    struct state full = {.wmem_queued = 200, .sndbuf = 300}, roomy = {.wmem_queued = 199, .sndbuf = 300};
    unsigned long long since = 0, told = 0;
    /* Nobody met a full buffer. */
    HOLDS(!still_waits(&since, 9 * SECOND, &full));
    /* Asleep for an hour, and a moment to wake; for another processor it is a little earlier. */
    since = SECOND;
    HOLDS(still_waits(&since, 3600 * SECOND, &full));
    HOLDS(still_waits(&since, 3600 * SECOND + SECOND / 2, &roomy));
    HOLDS(still_waits(&since, 3600 * SECOND - 1000, &roomy));
    /* Its end was never told: it is forgotten, also when the buffer is full once more. */
    HOLDS(!still_waits(&since, 3602 * SECOND, &roomy));
    HOLDS(!still_waits(&since, 3603 * SECOND, &full));
    /* The first at once, then one a second. */
    HOLDS(is_due(&told, SECOND / 2, SECOND));
    HOLDS(!is_due(&told, SECOND, SECOND));
    HOLDS(!is_due(&told, SECOND / 4, SECOND));
    HOLDS(is_due(&told, SECOND + SECOND / 2, SECOND));
    HOLDS(told == SECOND + SECOND / 2);
    return 0;
}
"#;

/// Number of states that makes every answer occur.
const STATES: usize = 20_000;

#[derive(Clone, Debug)]
struct State {
    /// Fields in the order of the C structure, up to `bound_ago`.
    words: [u32; 35],
    pacing_rate: u64,
    max_pacing_rate: u64,
}

/// Values close to each other, so that every comparison has both results.
fn states() -> impl Strategy<Value = State> {
    let segments = || prop_oneof![Just(0_u32), 1..4_u32, 8..40_u32];
    let bytes = || prop_oneof![Just(0_u32), 1..3_000_u32, 3_000..200_000_u32];
    let tcp_state = prop_oneof![6 => Just(1_u32), 1 => 2..6_u32, 1 => 8..10_u32, 1 => Just(11_u32)];
    let flag = || 0..2_u32;
    let queue = (tcp_state, bytes(), bytes(), 0..5_u32, prop_oneof![Just(1448_u32), Just(536), Just(65_483)]);
    let sent = (segments(), segments(), segments(), segments(), 0..60_u32, prop_oneof![0..60_u32, Just(0x7fff_ffff)]);
    let memory = (bytes(), prop_oneof![0..10_000_u32, 0..300_000_u32], bytes(), 1..200_000_u32);
    let rtt_var = prop_oneof![Just(0_u32), 0..50_000_u32];
    let rtt = (0..300_000_u32, prop_oneof![1..300_000_u32, Just(u32::MAX)], rtt_var, 0..2_u32, 0..2_u32);
    let rest = (bytes(), -1..2_i32, 0..3_u32, flag(), flag(), flag(), flag());
    let rates = (0..200_000_000_u64, prop_oneof![3 => Just(u64::MAX), 1 => 0..200_000_000_u64]);
    let rates =
        (rates, prop_oneof![1 => Just(0_u32), 6 => 1..200_u32], prop_oneof![1 => Just(0_u32), 6 => 1..200_000_u32]);
    let bound = (0..HeldBy::ALL.len() as u32, prop_oneof![0..300_000_u32, Just(u32::MAX)]);
    let more = (flag(), flag(), 1..200_000_u32, rates, flag(), bound);
    (queue, sent, memory, rtt, rest, more).prop_map(|(queue, sent, memory, rtt, rest, more)| {
        let (tcp_state, outq, unsent, ca_state, mss) = queue;
        let (packets, sacked, lost, retrans, cwnd, ssthresh) = sent;
        let (window, wmem_alloc, wmem_queued, sndbuf) = memory;
        let (rtt, min_rtt, rtt_var, total_retrans, syn_retransmits) = rtt;
        let (unread, heard, room, has_heard, has_scaling, paces, nodelay) = rest;
        let (
            corked,
            locked,
            largest,
            ((pacing_rate, max_pacing_rate), delivered, interval),
            of_program,
            (bound, bound_ago),
        ) = more;
        let words = [
            tcp_state,
            outq,
            unsent.min(outq),
            ca_state,
            mss,
            packets,
            sacked,
            lost,
            retrans,
            cwnd,
            ssthresh,
            window,
            wmem_alloc,
            wmem_queued,
            sndbuf,
            rtt,
            min_rtt,
            rtt_var,
            total_retrans,
            syn_retransmits,
            unread,
            heard.cast_unsigned(),
            room,
            has_heard,
            has_scaling,
            paces,
            nodelay,
            corked,
            locked,
            largest,
            delivered,
            interval,
            of_program,
            bound,
            bound_ago,
        ];
        State { words, pacing_rate, max_pacing_rate }
    })
}

impl State {
    fn bytes(&self) -> Vec<u8> {
        let words = self.words.iter().flat_map(|word| word.to_ne_bytes());
        // The rates are aligned to 8 bytes.
        words.chain([0; 4]).chain(self.pacing_rate.to_ne_bytes()).chain(self.max_pacing_rate.to_ne_bytes()).collect()
    }

    /// The receiving half of the same values.
    fn reader(&self) -> SocketSample {
        let w = |index: usize| Some(u64::from(self.words[index]));
        let info = TcpInfo { rcv_wnd: w(11), rcv_mss: w(4), ..TcpInfo::default() };
        SocketSample { receive_queue: u64::from(self.words[20]), info, ..SocketSample::default() }
    }

    /// The limit now, and the limit that is reported given the earlier one.
    fn held_by(&self) -> Option<[HeldBy; 2]> {
        let w = |index: usize| Some(u64::from(self.words[index]));
        let is = |index: usize| self.words[index] != 0;
        let heard = self.words[21].cast_signed();
        let info = TcpInfo {
            ca_state: w(3),
            snd_mss: w(4),
            unacked: w(5),
            sacked: w(6),
            lost: w(7),
            retrans: w(8),
            snd_cwnd: w(9),
            snd_ssthresh: w(10).filter(|&threshold| threshold < 0x7fff_ffff),
            snd_wnd: w(11),
            rtt: w(15),
            rttvar: w(17),
            min_rtt: w(16).filter(|&rtt| rtt != u64::from(u32::MAX)),
            total_retrans: w(18),
            retransmits: w(19),
            notsent_bytes: w(2),
            bytes_received: Some(u64::from(is(23))),
            snd_wscale: is(24).then_some(7),
            pacing_rate: Some(self.pacing_rate),
            max_pacing_rate: Some(self.max_pacing_rate).filter(|&rate| rate != u64::MAX),
            delivery_rate: (u64::from(self.words[30]) * u64::from(self.words[4]) * 1_000_000)
                .checked_div(u64::from(self.words[31])),
            delivery_rate_app_limited: w(32),
            // These are times since the data, so later data has a smaller value.
            last_data_sent: Some(100),
            last_data_recv: Some(u64::from(100_u32.saturating_add_signed(-heard))),
            ..TcpInfo::default()
        };
        let memory = SocketMemory {
            transmit_allocated: w(12),
            send_queued: w(13),
            send_buffer: w(14),
            ..SocketMemory::default()
        };
        let socket = SocketSample {
            state: TcpState::from_number(self.words[0] as u8),
            send_queue: u64::from(self.words[1]),
            receive_queue: u64::from(self.words[20]),
            memory,
            info,
            locks: Some(BufferLocks { send: is(28), receive: false }),
            ..SocketSample::default()
        };
        let manner = SocketTraits { paces: is(25), nodelay: is(26), corked: is(27) };
        let is_in_send = match self.words[22] {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        let held = held_by(&socket, manner, is_in_send, w(29))?;
        let bound = HeldBy::ALL[self.words[33] as usize];
        Some([held, under_bound(&socket, manner, held, bound, u64::from(self.words[34]))])
    }
}

/// Compiles `source` in `folder` and returns the program's path.
fn compile(folder: &Path, text: &str) -> PathBuf {
    let (source, program) = (folder.join("table.c"), folder.join("table"));
    std::fs::write(&source, text).unwrap();
    let bpf = Path::new(env!("CARGO_MANIFEST_DIR")).join("bpf");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let built = Command::new(compiler).arg("-O1").arg("-I").arg(bpf).arg(&source).arg("-o").arg(&program).status();
    assert!(built.expect("a C compiler is there, as for building").success());
    program
}

#[test]
fn what_was_heard_holds_for_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(compile(folder.path(), TIMES)).status().unwrap();
    assert_eq!(status.code(), Some(0), "the line of the program");
}

#[test]
fn both_tables_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path(), PROGRAM);
    let mut runner = TestRunner::deterministic();
    let states: Vec<State> = (0..STATES).map(|_| states().new_tree(&mut runner).unwrap().current()).collect();
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let bytes: Vec<u8> = states.iter().flat_map(State::bytes).collect();
    let writer = std::thread::spawn(move || input.write_all(&bytes).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.stdout.len(), 3 * states.len());
    let (mut seen, mut slow, mut ruled) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (state, in_c) in states.iter().zip(output.stdout.chunks(3)) {
        let held = [0, 1].map(|at| HeldBy::ALL[usize::from(in_c[at])]);
        assert_eq!(state.held_by(), Some(held), "{state:?}");
        assert_eq!(is_reader_slow(&state.reader()), in_c[2] != 0, "{state:?}");
        seen.insert(held[0]);
        ruled.extend((held[0] != held[1]).then_some(held));
        slow.insert(in_c[2]);
    }
    assert!(ruled.len() > 4, "rates of several bounds occur: {ruled:?}");
    // A state alone does not show whose turn it was: the data of both sides decides.
    let all: BTreeSet<HeldBy> =
        HeldBy::ALL.into_iter().filter(|by| !matches!(by, HeldBy::PeerTurn | HeldBy::PeerWindow)).collect();
    assert_eq!(seen, all, "all of them occur");
    assert_eq!(slow.len(), 2, "both occur");
}
