//! Application of fixes to a scenario.

use tcpwhy_model::Fix;
use tcpwhy_scenario::{BitRate, Bytes, Nanos, Reader, Scenario, Work, Writer};

use super::situation::LARGEST_RATE;

/// The `fixes` that can be applied to `scenario`, each with the resulting scenario. `flight` is the maximum
/// of bytes in flight.
pub(super) fn fixed<'f>(
    scenario: &Scenario,
    fixes: &'f [Fix],
    flight: f64,
) -> impl Iterator<Item = (&'f Fix, Scenario)> {
    fixes.iter().filter_map(move |fix| Some((fix, apply(scenario, fix.id, Some(flight))?)))
}

/// Factor by which a window of the peer's protocol is raised. The result exceeds any path that the previous
/// window filled.
const MORE_CREDIT: u64 = 64;
/// Number of requests that are pipelined, as in the predictions.
const TOGETHER: u32 = 10;
/// Size of IPv4 and TCP headers with timestamps, bytes.
const HEADERS: u32 = 52;
/// Share of a policer's rate for a shaper, which then never exceeds the policer.
const UNDER_POLICER: f64 = 0.95;

/// Applies the fix `id` to `scenario`, for a transfer that had up to `flight` bytes in flight. `None` if the
/// lab cannot apply it, or if it changes nothing.
fn apply(scenario: &Scenario, id: &str, flight: Option<f64>) -> Option<Scenario> {
    let mut fixed = scenario.clone();
    let Scenario { sender, receiver, link, work, .. } = &mut fixed;
    match id {
        "remove-so-sndbuf" => sender.sndbuf = None,
        "remove-both-buffers" => (sender.sndbuf, receiver.rcvbuf) = (None, None),
        "raise-tcp-wmem" => drop(sender.sysctl.remove("net.ipv4.tcp_wmem")),
        "remove-so-rcvbuf" => receiver.rcvbuf = None,
        "remove-receive-buffers" => (sender.rcvbuf, receiver.rcvbuf) = (None, None),
        "raise-tcp-rmem" => drop(receiver.sysctl.remove("net.ipv4.tcp_rmem")),
        "enable-window-scaling" => drop(receiver.sysctl.remove("net.ipv4.tcp_window_scaling")),
        // The sender of the data waits for this program.
        "profile-receiver" if matches!(work, Work::Turns(_)) => {
            if let Work::Turns(turns) = work {
                *turns.waits_mut().1 = Nanos(0);
            }
        }
        "read-faster" | "enlarge-reads" | "profile-receiver" => {
            for phase in phases(work) {
                phase.read = Reader::default();
            }
            // Autotuning allows as much as is read in a round trip (`tcp_rcvbuf_grow`), so the buffer grows
            // when more is read.
            receiver.sysctl.remove("net.ipv4.tcp_rmem");
        }
        "write-more-ahead" => write_at_once(work),
        "profile-application" => match work {
            // Only the sender's own time, because its peer's time belongs to another application.
            Work::Turns(turns) => *turns.waits_mut().0 = Nanos(0),
            work => write_at_once(work),
        },
        "coalesce-writes" => {
            if let Work::Turns(turns) = work {
                for writes in [&mut turns.request, &mut turns.response] {
                    *writes = vec![Bytes(writes.iter().map(|write| write.0).sum())];
                }
            }
        }
        "set-tcp-nodelay" | "set-tcp-nodelay-at-both-ends" => {
            sender.nodelay = true;
            receiver.nodelay = true;
        }
        // A reused connection begins with its previous window, and so does one with a larger initial window.
        "reuse-connection" | "raise-initcwnd" => {
            let segments = flight? / f64::from(scenario.mtu.saturating_sub(HEADERS).max(1));
            sender.initcwnd = Some((segments.ceil() as u32).clamp(11, 10_000));
            let open = (4.0 * flight?) as u64;
            let rmem = format!("4096 {} {}", open.max(131_072), open.max(33_554_432));
            receiver.sysctl.insert("net.ipv4.tcp_rmem".to_owned(), rmem);
        }
        "pipeline-requests" => {
            if let Work::Turns(turns) = work {
                let times = turns.count.min(TOGETHER);
                turns.count = turns.count.div_ceil(times.max(1));
                for writes in [&mut turns.request, &mut turns.response] {
                    *writes = vec![Bytes(writes.iter().map(|write| write.0).sum::<u64>() * u64::from(times))];
                }
                for wait in [&mut turns.think, &mut turns.service] {
                    *wait = Nanos(wait.0 * u64::from(times));
                }
            }
        }
        "shape-below-policer" => {
            let rate = link.forward.policer?.rate.0 as f64;
            sender.nic = BitRate((rate * UNDER_POLICER) as u64);
        }
        "fix-ack-loss" => link.back.loss = None,
        "fix-loss" => {
            link.forward.loss = None;
            link.forward.lose_data.clear();
            (link.forward.lose_syns, link.back.lose_syns) = (None, None);
        }
        "raise-peer-window" => {
            if let Work::Stream(stream) = work
                && let Some(credit) = &mut stream.credit
            {
                credit.window.0 = credit.window.0.saturating_mul(MORE_CREDIT).min(1 << 30);
                credit.after = None;
            }
        }
        "use-bbr" => "bbr".clone_into(&mut sender.congestion_control),
        "raise-capacity" => {
            link.rate = Some(BitRate(LARGEST_RATE as u64));
            link.forward.policer = None;
        }
        _ => return None,
    }
    // The fixed transfer no longer has the same limit.
    fixed.name = format!("{}-fixed", scenario.name);
    let has_changed = Scenario { name: scenario.name.clone(), ..fixed.clone() } != *scenario;
    fixed.expect.verdict.clear();
    has_changed.then_some(fixed)
}

/// Writes the whole stream without a pause.
fn write_at_once(work: &mut Work) {
    if let Work::Stream(stream) = work {
        for phase in &mut stream.phases {
            phase.write = Writer::default();
        }
    }
}

fn phases(work: &mut Work) -> &mut [tcpwhy_scenario::Phase] {
    match work {
        Work::Stream(stream) => &mut stream.phases,
        Work::Turns(_) | Work::Talk(_) | Work::Application(_) => &mut [],
    }
}

/// The beginning of the same transfer, with a share of its bytes or turns.
pub(super) fn shortened(scenario: &Scenario, share: f64) -> Scenario {
    let mut shorter = scenario.clone();
    match &mut shorter.work {
        Work::Stream(stream) => {
            let mut left = ((stream.bytes() as f64 * share) as u64).max(1);
            stream.phases.retain_mut(|phase| {
                phase.bytes.0 = phase.bytes.0.min(left);
                left -= phase.bytes.0;
                phase.bytes.0 > 0
            });
        }
        Work::Turns(turns) => turns.count = ((f64::from(turns.count) * share) as u32).max(1),
        Work::Talk(_) | Work::Application(_) => {}
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        let text = r#"
expect = { verdict = ["none"] }
sender = { sndbuf = "16KiB" }
[work.stream]
phases = [{ bytes = "1MB", read = { rate = "1mbit", every = "10ms" } }]
"#;
        Scenario::from_toml("test", text).unwrap()
    }

    #[test]
    fn a_fix_takes_away_what_was_imposed_and_nothing_else() {
        let fixed = apply(&scenario(), "remove-so-sndbuf", None).unwrap();
        assert_eq!(fixed.sender.sndbuf, None);
        assert_eq!(fixed.work, scenario().work);
        let Work::Stream(stream) = apply(&scenario(), "read-faster", None).unwrap().work else {
            unreachable!("a stream")
        };
        assert_eq!(stream.phases[0].read, Reader::default());
    }

    #[test]
    fn a_fix_of_what_was_not_imposed_is_none() {
        assert!(apply(&scenario(), "remove-so-rcvbuf", None).is_none());
        assert!(apply(&scenario(), "fix-loss", None).is_none());
        assert!(apply(&scenario(), "find-reset", None).is_none());
    }

    #[test]
    fn the_peer_takes_as_long_as_it_did() {
        for (sender_asks, waits) in [(false, (60, 0)), (true, (0, 25))] {
            let text = format!(
                "[work.turns]\nsender_asks = {sender_asks}\ncount = 40\nrequest = [\"300B\"]\nresponse = [\"12kB\"]\n\
                 think = \"60ms\"\nservice = \"25ms\"\n"
            );
            let scenario = Scenario::from_toml("test", &text).unwrap();
            let Work::Turns(turns) = apply(&scenario, "profile-application", None).unwrap().work else {
                unreachable!("turns")
            };
            assert_eq!((turns.think.0 / 1_000_000, turns.service.0 / 1_000_000), waits);
        }
    }

    #[test]
    fn ten_requests_go_together() {
        let text = r#"
[work.turns]
count = 45
request = ["100B"]
response = ["200B", "300B"]
service = "1ms"
"#;
        let scenario = Scenario::from_toml("test", text).unwrap();
        let Work::Turns(turns) = apply(&scenario, "pipeline-requests", None).unwrap().work else {
            unreachable!("turns")
        };
        assert_eq!((turns.count, turns.request, turns.response), (5, vec![Bytes(1000)], vec![Bytes(5000)]));
        assert_eq!(turns.service, Nanos(10_000_000));
    }

    #[test]
    fn a_window_that_is_open_from_the_start() {
        assert!(apply(&scenario(), "reuse-connection", None).is_none());
        let open = apply(&scenario(), "reuse-connection", Some(144_800.0)).unwrap();
        assert_eq!(open.sender.initcwnd, Some(100));
    }

    #[test]
    fn a_shorter_run_sends_a_share() {
        let Work::Stream(stream) = shortened(&scenario(), 0.25).work else { unreachable!("a stream") };
        assert_eq!(stream.bytes(), 250_000);
    }
}
