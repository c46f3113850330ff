//! Transfers with a random cause, for accuracy runs over more situations than people would write down.
//!
//! A drawn cause is used only if, by its formula, every other limit allows at least [`MARGIN`] times as much.
//! Otherwise the transfer is drawn again. So the truth is known before the run.

mod cause;
mod dice;
mod draft;
mod ends;
mod formula;
mod lines;
mod size;
mod talkers;
mod titles;
mod writers;

use self::cause::RandomCause;
use self::dice::Dice;
use self::draft::{Draft, MARGIN, micros};
use self::formula::MSS;
use super::{Bytes, CaptureSpec, EndSpec, Expectation, Nanos, Scenario, Story, Words, Work};
use crate::{BitRate, End};

/// A bare ACK on the wire: headers with timestamps, Ethernet with preamble and gap.
const ACK_FRAME: f64 = 104.0;

/// Transfer `index` of `seed`: always the same scenario. The causes alternate, so that a full cycle of
/// consecutive transfers contains each of them.
pub fn random(seed: u64, index: u32) -> Scenario {
    drawn(seed, index, &RandomCause::ALL, "random")
}

/// Transfer `index` of `seed` among conversations alone, which alternate too.
pub fn random_talk(seed: u64, index: u32) -> Scenario {
    drawn(seed, index, &RandomCause::CONVERSATIONS, "random:talk")
}

fn drawn(seed: u64, index: u32, causes: &[RandomCause], family: &str) -> Scenario {
    let mut dice = Dice::new(seed, index);
    let cause = causes[(seed as usize).wrapping_add(index as usize) % causes.len()];
    loop {
        let draft = Draft::new(&mut dice);
        if let Some(draft) = cause.impose(draft, &mut dice)
            && draft.is_clear()
        {
            let name = format!("{}-{seed}-{index}", family.replace(':', "-"));
            let mut scenario = draft.scenario(seed, index, cause, &mut dice);
            scenario.story.source = format!("tcpwhy lab run {family}:{seed}, number {index}");
            return Scenario { name, ..scenario };
        }
    }
}

impl Draft {
    /// Adds properties of real paths and hosts that are not the limit: jitter, a slow return path, hosts
    /// without SACK or timestamps. Returns the MTU, which may be that of jumbo frames.
    fn roughen(&mut self, cause: RandomCause, dice: &mut Dice) -> u32 {
        // Jitter would break the tolerance of 2 ms for the times of single answers at both ends.
        if dice.percent(25) && !cause.is_conversation() {
            let most = micros((self.rtt * dice.log(0.01, 0.15)).clamp(5e-6, 0.006));
            self.link.forward.jitter = Some(most);
            self.link.back.jitter = Some(most);
        }
        if dice.percent(12) && matches!(self.work, Work::Stream(_)) {
            let acks = self.others.min(self.imposed * MARGIN) / (2.0 * MSS) * ACK_FRAME * 8.0;
            self.link.back.rate = Some(BitRate((acks * dice.log(1.5, 8.0)).max(500e3) as u64));
            self.link.back.queue = Some(Bytes(1_000_000));
        }
        let without = |name: &str, end: &mut EndSpec| {
            end.sysctl.insert(format!("net.ipv4.tcp_{name}"), "0".to_owned());
        };
        if dice.percent(12) {
            without("timestamps", if dice.percent(50) { &mut self.sender } else { &mut self.receiver });
        }
        if dice.percent(12) && !cause.has_losses() {
            without("sack", if dice.percent(50) { &mut self.sender } else { &mut self.receiver });
        }
        if dice.percent(10) && cause.allows_jumbo_frames() && self.rate() >= 50e6 { 9000 } else { 1500 }
    }

    fn scenario(mut self, seed: u64, index: u32, cause: RandomCause, dice: &mut Dice) -> Scenario {
        if self.sender.congestion_control.is_empty() {
            (*dice.pick(&["cubic", "cubic", "bbr", "reno"])).clone_into(&mut self.sender.congestion_control);
        }
        // Without offload the kernel handles every segment itself, so the rate is limited to one that a small
        // machine easily reaches.
        let has_offload = self.others.min(self.rate()) > 20e6 || dice.percent(70);
        let mtu = self.roughen(cause, dice);
        self.sender.offload = has_offload;
        self.receiver.offload = has_offload;
        if let Work::Stream(stream) = &mut self.work
            && dice.percent(50)
        {
            stream.opener = End::Sender;
        }
        let (en, zh_cn) = cause.titles();
        Scenario {
            story: Story {
                en: Words {
                    title: format!("Random transfer {index} of seed {seed}: {en}"),
                    text: "Drawn, not told: the cause is imposed so that every other limit allows at least 1.7 times as much."
                        .to_owned(),
                },
                zh_cn: Words {
                    title: format!("随机传输（种子 {seed}，第 {index} 个）：{zh_cn}"),
                    text: "随机生成：只施加一个限制因素，其他因素允许的速率至少是它的 1.7 倍。".to_owned(),
                },
                ..Story::default()
            },
            expect: Expectation {
                verdict: cause.verdicts(&self.sender.congestion_control),
                outcome: cause.outcome(&self.work),
                fix: cause.fixes(),
                ..Expectation::default()
            },
            link: self.link,
            sender: self.sender,
            receiver: self.receiver,
            work: self.work,
            capture: CaptureSpec::default(),
            ip_version: if dice.percent(30) { 6 } else { 4 },
            mtu,
            // Integers in TOML are signed.
            seed: dice.next() >> 1,
            deadline: Nanos::from_secs(45),
            name: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Expected, ExpectedFix};

    /// The draft, before it became a scenario.
    fn draft(seed: u64, cause: RandomCause) -> Draft {
        let mut dice = Dice::new(seed, 0);
        loop {
            let draft = Draft::new(&mut dice);
            if let Some(draft) = cause.impose(draft, &mut dice).filter(Draft::is_clear) {
                return draft;
            }
        }
    }

    proptest! {
        #[test]
        fn a_file_of_it_reads_back(seed: u64, index in 0_u32..1000) {
            let drawn = random(seed, index);
            let text = drawn.to_toml().unwrap();
            prop_assert_eq!(Scenario::from_toml(&drawn.name, &text), Ok(drawn));
        }

        #[test]
        fn the_same_for_ever(seed: u64, index in 0_u32..1000) {
            prop_assert_eq!(random(seed, index), random(seed, index));
        }

        #[test]
        fn as_many_as_there_are_causes_have_every_cause(seed in 0_u64..1 << 40) {
            let count = RandomCause::ALL.len();
            let firsts: Vec<Vec<Expected>> = (0..count as u32).map(|i| random(seed, i).expect.verdict).collect();
            for cause in RandomCause::ALL {
                prop_assert!(["cubic", "bbr"].iter().any(|cc| firsts.contains(&cause.verdicts(cc))), "{cause:?}");
            }
        }

        /// A queue that drops a mere burst would add losses to every cause.
        #[test]
        fn the_queue_holds_a_burst(seed: u64, index in 0_u32..1000) {
            let drawn = random(seed, index);
            if drawn.link.forward.policer.is_none() {
                // A slow line would need seconds for that much; its queue has room for the first window.
                let least = if drawn.link.rate.is_some_and(|rate| rate.0 < 5_000_000) { 15_000 } else { 60_000 };
                prop_assert!(drawn.link.queue.is_some_and(|queue| queue.0 >= least));
            }
        }

        /// Compared with the result of `tcpwhy buffers`, which is based on other measurements.
        #[test]
        fn a_drawn_send_buffer_is_the_least(seed: u64) {
            let draft = draft(seed, RandomCause::SendBuffer);
            let asked = draft.sender.sndbuf.unwrap().0;
            let Work::Stream(stream) = &draft.work else { unreachable!() };
            let flight = tcpwhy_kernel::taken(
                2 * asked,
                tcpwhy_kernel::Writing {
                    bytes: stream.phases[0].write.size.0,
                    has_nodelay: true,
                    mode: tcpwhy_kernel::WriteMode::Blocking,
                },
                65_160,
                // Overhead of other kernels, bytes.
                1280,
            );
            prop_assert!(draft.sender.nodelay);
            prop_assert!(draft.rate() / 8.0 * draft.rtt >= 1.5 * flight as f64);
        }

        /// Each grant of the peer needs a round trip, in which the line could carry more.
        #[test]
        fn a_drawn_window_is_less_than_the_path_holds(seed: u64) {
            let draft = draft(seed, RandomCause::Credit);
            let Work::Stream(stream) = &draft.work else { unreachable!() };
            let credit = stream.credit.unwrap();
            let all = u64::from(credit.streams) * credit.window.0;
            let flight = credit.connection_window.map_or(all, |window| window.0.min(all));
            prop_assert!(stream.phases[0].write.size <= credit.window);
            prop_assert!(draft.rate() / 8.0 * draft.rtt >= 1.7 * flight as f64);
            prop_assert!(draft.sender.nodelay && draft.receiver.nodelay);
        }

        /// The same holds for all outstanding blocks together.
        #[test]
        fn drawn_blocks_are_less_than_the_path_holds(seed: u64) {
            for cause in [RandomCause::Blocks, RandomCause::Pipeline] {
                let draft = draft(seed, cause);
                let Work::Turns(turns) = &draft.work else { unreachable!() };
                let block = turns.bytes() / u64::from(turns.count);
                prop_assert!(draft.rate() / 8.0 * draft.rtt >= 1.7 * (u64::from(turns.ahead) * block) as f64);
                prop_assert!(turns.count >= 10 * turns.ahead, "many windows");
            }
        }

        /// With or without delayed ACKs, the run neither ends at once nor comes near its deadline.
        #[test]
        fn a_drawn_tail_takes_seconds(seed: u64) {
            let draft = draft(seed, RandomCause::NagleTail);
            let Work::Turns(turns) = &draft.work else { unreachable!() };
            let prompt = f64::from(turns.count) * 2.0 * draft.rtt;
            let delayed = prompt + f64::from(turns.count) * formula::DELAYED_ACK;
            prop_assert!(prompt >= 0.8 && delayed <= 20.0, "{prompt} s to {delayed} s");
            prop_assert!(!draft.sender.nodelay && draft.sender.congestion_control != "bbr");
        }

        /// The largest portion is sent and acknowledged before the window could limit it.
        #[test]
        fn a_drawn_rest_is_longer_than_its_portion_takes(seed: u64) {
            let draft = draft(seed, RandomCause::RestingWriter);
            let Work::Stream(stream) = &draft.work else { unreachable!() };
            let write = stream.phases[0].write;
            let largest = write.portion.unwrap().0 as f64 * write.varies.unwrap().factor(1.0);
            prop_assert!(largest * 8.0 / draft.rate() <= 0.16 * write.every.unwrap().seconds());
        }

        #[test]
        fn a_drawn_reader_is_slower_than_the_path(seed: u64) {
            let draft = draft(seed, RandomCause::SlowReader);
            let Work::Stream(stream) = &draft.work else { unreachable!() };
            let reader = stream.phases[0].read.rate.unwrap().0 as f64;
            prop_assert!(draft.rate() >= 1.7 * reader);
            let takes = stream.phases[0].bytes.0 as f64 * 8.0 / reader;
            prop_assert!((1.0..=9.0).contains(&takes), "{takes} s");
        }
    }

    /// A cause that needs action has a fix; a cause that may be acceptable also allows none.
    #[test]
    fn fixes_agree_with_verdicts() {
        for cause in RandomCause::ALL {
            let (Some(fixes), Some(ids)) = (cause.fixes(), cause.fix_ids()) else { continue };
            assert_eq!(fixes.len(), ids.len(), "{cause:?}: an unknown fix");
            assert!(!fixes.is_empty(), "{cause:?}");
            let may_be_left = cause.verdicts("cubic").contains(&Expected::Nothing);
            assert_eq!(fixes.contains(&ExpectedFix::Nothing), may_be_left, "{cause:?}");
        }
    }

    /// A known pair, so that a change of the generator is noticed: recordings are named after seed and
    /// number.
    #[test]
    fn drawn_once_for_all() {
        let drawn: Vec<_> =
            (0..3).map(|index| random(1, index)).map(|s| (s.link.rtt.0, s.link.rate.unwrap().0)).collect();
        assert_eq!(drawn, [(42_000_000, 440_000_000), (14_000_000, 20_000_000), (130_000_000, 110_000_000)]);
        // The cause of each in its turn, and its text in the file.
        let work = |index| toml::to_string(&random(1, index).work).unwrap();
        let credit = work(12);
        assert!(credit.contains("credit") && credit.contains("window = "), "{credit}");
        assert!(work(13).contains("sender_asks = true\ncount = ") && work(14).contains("sender_asks = false"));
        assert!(work(15).contains("request = [\"") && work(16).contains("waits = \"poll\""));
        assert!(work(17).contains("varies = "));
    }
}
