//! Simulated transfers beside the same ones on a real kernel (Linux 6.18, the lab's emulator): durations in
//! seconds, measured once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use proptest::prelude::*;
use tcpwhy_kernel::{Device, KernelVersion, Link};
use tcpwhy_model::Limit;
use tcpwhy_scenario::{BitRate, Bytes, DirectionSpec, End, LinkSpec, Nanos, Share};
use tcpwhy_sim::{Algorithm, EndPlan, HostProfile, HostRules, Outcome, Plan, SocketOptions, Stalled, Step, World};

const MEGABYTE: u64 = 1_000_000;
const MEGABIT: u64 = 1_000_000;
const MILLISECOND: u64 = 1_000_000;

/// A transfer of `bytes` that its sender opens.
#[derive(Clone, Debug)]
struct Transfer {
    bytes: u64,
    write: u64,
    rate: u64,
    rtt: u64,
    queue: u64,
    loss: f64,
    seed: u64,
    sndbuf: Option<u64>,
    rcvbuf: Option<u64>,
    algorithm: Algorithm,
    profile: HostProfile,
    mtu: u32,
}

impl Transfer {
    fn new(bytes: u64, megabits: u64, rtt: u64) -> Self {
        Self {
            bytes,
            write: 131_072,
            rate: megabits * MEGABIT,
            rtt,
            queue: 500_000,
            loss: 0.0,
            seed: 1,
            sndbuf: None,
            rcvbuf: None,
            algorithm: Algorithm::Cubic,
            profile: HostProfile::LAB,
            mtu: 1500,
        }
    }

    fn plan(&self) -> Plan {
        let mut host = HostRules { algorithm: self.algorithm, ..HostRules::defaults(KernelVersion::series(6, 18)) };
        for setting in [
            "net.ipv4.tcp_rmem=4096 131072 33554432",
            "net.ipv4.tcp_wmem=4096 16384 4194304",
            "net.core.rmem_max=4194304",
            "net.core.wmem_max=4194304",
        ] {
            host.sysctls.assign(setting).unwrap();
        }
        let whole = usize::try_from(self.bytes / self.write).unwrap();
        let rest = self.bytes % self.write;
        let mut steps = vec![Step::Write(self.write); whole];
        steps.extend((rest > 0).then_some(Step::Write(rest)));
        steps.push(Step::Finish);
        let end = |options, steps| EndPlan { host: host.clone(), options, profile: self.profile, steps };
        Plan {
            ends: [
                end(SocketOptions { sndbuf: self.sndbuf, ..SocketOptions::default() }, steps),
                end(
                    SocketOptions { rcvbuf: self.rcvbuf, ..SocketOptions::default() },
                    vec![Step::ReadAll { size: 262_144 }],
                ),
            ],
            opener: End::Sender,
            path: LinkSpec {
                rtt: Nanos(self.rtt),
                forward: DirectionSpec {
                    rate: Some(BitRate(self.rate)),
                    queue: Some(Bytes(self.queue)),
                    loss: (self.loss > 0.0).then_some(Share(self.loss)),
                    ..DirectionSpec::default()
                },
                ..LinkSpec::default()
            },
            // As on the kernel that was measured.
            link: Link { skb_overhead: Some(832), ..Link::new(self.mtu, Device::Nic) },
            seed: self.seed,
            deadline: 300_000 * MILLISECOND,
        }
    }

    fn run(&self) -> Result<Outcome, Stalled> {
        World::new(&self.plan()).run()
    }
}

#[test]
fn durations_are_those_of_a_kernel() {
    let megabytes = |count: u64, megabits, rtt| Transfer::new(count * MEGABYTE, megabits, rtt * MILLISECOND);
    let cases = [
        ("22 MB, automatic buffers", 1.964, megabytes(22, 100, 20)),
        ("SO_SNDBUF 128 KiB", 2.480, Transfer { sndbuf: Some(131_072), ..megabytes(22, 100, 20) }),
        (
            "SO_SNDBUF 100 kB at 500 Mbit/s",
            3.892,
            Transfer { sndbuf: Some(100_000), queue: 1_250_000, ..megabytes(50, 500, 10) },
        ),
        (
            "SO_SNDBUF 64 KiB at 1 Gbit/s",
            2.026,
            Transfer { sndbuf: Some(65_536), queue: 1_250_000, ..megabytes(25, 1000, 10) },
        ),
        (
            "SO_SNDBUF 256 KiB at 100 ms",
            3.377,
            Transfer { sndbuf: Some(262_144), queue: 12_500_000, ..megabytes(12, 1000, 100) },
        ),
        ("SO_RCVBUF 64 KiB", 1.627, Transfer { rcvbuf: Some(65_536), queue: 2_500_000, ..megabytes(8, 1000, 20) }),
        ("SO_RCVBUF 256 KiB", 1.580, Transfer { rcvbuf: Some(262_144), queue: 2_500_000, ..megabytes(30, 1000, 20) }),
        (
            "SO_RCVBUF 4 KiB",
            1.762,
            Transfer { rcvbuf: Some(4_096), queue: 2_500_000, ..Transfer::new(250_000, 1000, 20 * MILLISECOND) },
        ),
        ("a queue of one product", 3.494, Transfer { queue: 250_000, ..megabytes(40, 100, 20) }),
        ("a short queue", 4.220, Transfer { queue: 30_000, ..megabytes(30, 100, 20) }),
        ("500 Mbit/s", 0.912, Transfer { queue: 625_000, ..megabytes(50, 500, 10) }),
        ("10 Mbit/s, MTU 576", 2.871, Transfer { queue: 60_000, mtu: 576, ..megabytes(3, 10, 20) }),
        ("jumbo frames", 2.494, Transfer { mtu: 9000, ..megabytes(30, 100, 20) }),
        (
            "an interface of 100 Mbit/s",
            2.551,
            Transfer {
                queue: 1_250_000,
                profile: HostProfile { nic: 100 * MEGABIT, ..HostProfile::LAB },
                ..megabytes(30, 1000, 10)
            },
        ),
        ("2 MB at 100 ms", 0.855, Transfer { queue: 12_500_000, ..megabytes(2, 1000, 100) }),
        ("200 kB at 100 ms", 0.453, Transfer { queue: 12_500_000, ..Transfer::new(200_000, 1000, 100 * MILLISECOND) }),
    ];
    let mut wrong = Vec::new();
    for (what, measured, transfer) in cases {
        let outcome = transfer.run().unwrap_or_else(|stalled| panic!("{what}: {stalled}"));
        assert_eq!(outcome.received, transfer.bytes, "{what}");
        let simulated = outcome.duration as f64 / 1e9;
        // Twice what the kernel differs from itself in such runs.
        if (simulated / measured - 1.0).abs() > 0.05 {
            wrong.push(format!("{what}: {simulated:.3} s, not {measured:.3} s"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The limit that is imposed holds the sender back most.
#[test]
fn what_is_imposed_holds() {
    let lan = |bytes| Transfer { queue: 2_500_000, ..Transfer::new(bytes, 1000, 20 * MILLISECOND) };
    let cases = [
        ("a send buffer", Limit::SendBuffer, Transfer { sndbuf: Some(65_536), ..lan(8 * MEGABYTE) }),
        ("a receive buffer", Limit::ReceiveWindow, Transfer { rcvbuf: Some(65_536), ..lan(8 * MEGABYTE) }),
        ("little data", Limit::SlowStart, lan(MEGABYTE)),
        ("a path", Limit::CongestionWindow, Transfer::new(30 * MEGABYTE, 50, 20 * MILLISECOND)),
    ];
    for (what, limit, transfer) in cases {
        let outcome = transfer.run().unwrap();
        let all = outcome.held.all();
        assert_eq!(all[0].0, limit, "{what}: {all:?}");
        assert!(2 * all[0].1 > outcome.duration, "{what}: {all:?}");
    }
}

/// The queue drops what CUBIC's and `HyStart`'s rules make of it: as many as on the kernel.
#[test]
fn drops_are_those_of_a_kernel() {
    let short = Transfer { queue: 30_000, ..Transfer::new(30 * MEGABYTE, 100, 20 * MILLISECOND) };
    let outcome = short.run().unwrap();
    assert_eq!(outcome.sockets[0].retransmitted, outcome.links[0].drops.queue, "each drop is sent again once");
    assert_eq!(outcome.sockets[0].timeouts, 0);
    assert!((10..40).contains(&outcome.links[0].drops.queue), "{}", outcome.links[0].drops.queue);
}

fn any_transfer() -> impl Strategy<Value = Transfer> {
    let sizes = (1_u64..2 * MEGABYTE, 1_u64..200_000, 1_u64..1000, 0_u64..100, 3_000_u64..1_000_000);
    let buffers = (proptest::option::of(0_u64..500_000), proptest::option::of(0_u64..500_000));
    let rest = (0.0..0.2_f64, any::<u64>(), any::<bool>(), any::<bool>(), 552_u32..9000);
    (sizes, buffers, rest).prop_map(
        |((bytes, write, megabits, rtt, queue), (sndbuf, rcvbuf), (loss, seed, is_reno, is_ideal, mtu))| Transfer {
            write: write.max(bytes / 2_000).max(1),
            queue: queue.max(2 * u64::from(mtu)),
            loss: if loss < 0.1 { 0.0 } else { loss - 0.1 },
            seed,
            sndbuf,
            rcvbuf,
            algorithm: if is_reno { Algorithm::Reno } else { Algorithm::Cubic },
            profile: if is_ideal { HostProfile::IDEAL } else { HostProfile::LAB },
            mtu,
            ..Transfer::new(bytes, megabits, rtt * MILLISECOND)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever is set: all bytes arrive, no faster than the path carries them, and each time alike.
    #[test]
    fn bytes_are_conserved(transfer in any_transfer()) {
        let outcome = transfer.run();
        prop_assert!(outcome.is_ok(), "{outcome:?}");
        let outcome = outcome.unwrap();
        prop_assert_eq!(outcome.received, transfer.bytes);
        let held: u64 = outcome.held.all().iter().map(|(_, time)| time).sum();
        prop_assert!(held <= outcome.duration, "{held} of {}", outcome.duration);
        let least = u128::from(transfer.bytes) * 8 * 1_000_000_000 / u128::from(transfer.rate);
        prop_assert!(u128::from(outcome.duration) + 100_000 >= least, "{} of {least}", outcome.duration);
        prop_assert_eq!(Ok(outcome), transfer.run());
    }
}
