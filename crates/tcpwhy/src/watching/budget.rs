//! How often sockets are looked at, for so much of a processor: fewer looks rather than more time.

use std::time::Duration;

/// Every socket is looked at so often if that is cheap enough.
const DUMP_EVERY: Duration = Duration::from_secs(1);
/// At most so much of the budget goes to looking at all sockets.
const DUMP_SHARE: f64 = 0.6;
/// At most so much where the kernel keeps accounts: there, looking at all only finds who rests, and whose sockets they are.
const ACCOUNTED_DUMP_SHARE: f64 = 0.3;
/// At most so much of the budget goes to asking the kernel what it has added up. What is left is for telling of it.
const TELL_SHARE: f64 = 0.4;
/// A socket that is looked at more often at all is looked at this often: less tells no more than looking at all does.
const LEAST_RATE: f64 = 2.0;
/// Whose sockets are is looked for no more often, seconds.
const NAME_EVERY: f64 = 1.0;
/// What the kernel has added up is asked for so often, whatever it costs, seconds: the ring of events has room for so long.
const TELL_EVERY: f64 = 2.0;
/// At most so much of the budget goes to finding out whose sockets are.
const NAME_SHARE: f64 = 0.2;
/// What starting took is paid back with so much of the budget.
const LOAN_SHARE: f64 = 0.5;
/// A cost that falls is believed bit by bit, one that rises at once.
const NEWEST: f64 = 0.3;
/// What the second look at all sockets takes of what the first did.
const LATER_DUMP: f64 = 0.5;
/// CPU seconds for names for which nobody needs to wait.
const CHEAP_NAMES: f64 = 0.02;

/// Plans looks by what they cost.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Of one processor.
    share: f64,
    /// Of that, for looking at all sockets.
    dump_share: f64,
    /// Wanted for active connections, looks a second.
    rate: f64,
    /// CPU seconds of looking at all sockets.
    dump: f64,
    /// CPU seconds of what follows that.
    after: f64,
    /// CPU seconds of looking at one.
    look: f64,
    /// CPU seconds of asking the kernel what it has added up.
    tell: f64,
    /// CPU seconds of finding out whose sockets are.
    name: f64,
    /// CPU seconds spent on what nobody planned, and not paid back.
    debt: f64,
    /// CPU seconds that starting took and that are not paid back.
    loan: f64,
}

/// How often to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// At all sockets.
    pub(crate) dump_every: Duration,
    /// At active ones.
    pub(crate) look_every: Duration,
    /// At how many of those.
    pub(crate) looks: usize,
}

impl Budget {
    pub(crate) fn new(share: f64, rate: f64) -> Self {
        // What a look costs is learnt at the first; until then it is what was measured on a slow machine.
        let dump_share = DUMP_SHARE;
        Self {
            share,
            dump_share,
            rate,
            dump: 0.001,
            after: 0.0,
            look: 10e-6,
            tell: 100e-6,
            name: 0.0,
            debt: 0.0,
            loan: 0.0,
        }
    }

    /// The same where the kernel keeps accounts.
    pub(crate) fn accounted(self) -> Self {
        Self { dump_share: ACCOUNTED_DUMP_SHARE, ..self }
    }

    pub(crate) fn share(&self) -> f64 {
        self.share
    }

    /// What is to be spent now, of one processor: what starting took is paid back bit by bit, so that there is something to see
    /// meanwhile.
    fn available(&self) -> f64 {
        if self.loan > 0.0 { self.share * (1.0 - LOAN_SHARE) } else { self.share }
    }

    /// Starting took so much. What comes takes less, since there is room for everything then.
    pub(crate) fn started(&mut self, dump: Duration, name: Duration) {
        self.loan += (dump + name).as_secs_f64();
        self.dump = dump.as_secs_f64() * LATER_DUMP;
        self.name = name.as_secs_f64();
    }

    /// Whether looking for names takes so little that nobody needs to wait for them.
    pub(crate) fn is_naming_cheap(&self) -> bool {
        self.name <= CHEAP_NAMES
    }

    /// Looking at all sockets took so much.
    pub(crate) fn dumped(&mut self, cpu: Duration) {
        learn(&mut self.dump, cpu.as_secs_f64());
    }

    /// What follows a look at all sockets took so much.
    pub(crate) fn followed(&mut self, cpu: Duration) {
        learn(&mut self.after, cpu.as_secs_f64());
    }

    /// Looking at so many took so much.
    pub(crate) fn looked(&mut self, count: usize, cpu: Duration) {
        if count > 0 {
            learn(&mut self.look, cpu.as_secs_f64() / count as f64);
        }
    }

    /// Asking the kernel what it has added up took so much.
    pub(crate) fn told(&mut self, cpu: Duration) {
        learn(&mut self.tell, cpu.as_secs_f64());
    }

    /// Finding out whose sockets are took so much.
    pub(crate) fn named(&mut self, cpu: Duration) {
        // The first time finds all that were there before.
        if self.name <= 0.0 {
            self.loan += cpu.as_secs_f64();
        }
        self.name = cpu.as_secs_f64();
    }

    /// How long to wait before that is done again.
    pub(crate) fn name_every(&self) -> Duration {
        Duration::from_secs_f64((self.name / (self.available() * NAME_SHARE)).max(NAME_EVERY))
    }

    /// How often to ask the kernel what it has added up: less often loses nothing but the order of what happened.
    pub(crate) fn tell_every(&self) -> Duration {
        let least = self.tell / (self.available() * TELL_SHARE);
        Duration::from_secs_f64(least.max(1.0 / self.rate).min(TELL_EVERY))
    }

    /// Something else took so much: looks wait until that is paid.
    pub(crate) fn spent(&mut self, cpu: Duration) {
        self.debt += cpu.as_secs_f64();
    }

    /// So much time has passed, and pays for so much work.
    pub(crate) fn passed(&mut self, time: Duration) {
        let earned = time.as_secs_f64() * self.share;
        let repaid = self.loan.min(earned * LOAN_SHARE);
        self.loan -= repaid;
        // What was not used is no credit for a burst later.
        self.debt = (self.debt - (earned - repaid)).max(0.0);
    }

    /// So much was really used in so much time, whatever it went to: what is beyond the budget and the next lump is owed like what
    /// starting took. So it holds also where costs are other than they were, or nobody planned them.
    pub(crate) fn used(&mut self, cpu: Duration, time: Duration) {
        let lump = self.dump + self.after + self.name;
        let excess = cpu.as_secs_f64() - time.as_secs_f64() * self.share - lump;
        self.loan = self.loan.max(excess);
    }

    /// Whether something that can wait should.
    pub(crate) fn is_in_debt(&self) -> bool {
        self.debt > 0.0
    }

    /// How often to look when so many connections are active.
    pub(crate) fn plan(&self, active: usize) -> Plan {
        let dump = self.dump + self.after;
        let share = self.available();
        let dump_every = (dump / (share * self.dump_share)).max(DUMP_EVERY.as_secs_f64());
        let left = share - dump / dump_every - self.name / self.name_every().as_secs_f64();
        let looks_a_second = left / self.look;
        let looks = active.min((looks_a_second / LEAST_RATE) as usize);
        let rate = (looks_a_second / looks.max(1) as f64).min(self.rate);
        Plan {
            dump_every: Duration::from_secs_f64(dump_every),
            look_every: Duration::from_secs_f64(1.0 / rate.max(LEAST_RATE)),
            looks,
        }
    }
}

/// Takes in what something took this time.
fn learn(known: &mut f64, cost: f64) {
    *known = if cost > *known { cost } else { *known + (cost - *known) * NEWEST };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(share: f64, dump_ms: f64, look_us: f64) -> Budget {
        let mut budget = Budget::new(share, 10.0);
        for _ in 0..100 {
            budget.dumped(Duration::from_secs_f64(dump_ms / 1e3));
            budget.looked(100, Duration::from_secs_f64(look_us * 100.0 / 1e6));
        }
        budget
    }

    #[track_caller]
    fn cpu(budget: &Budget, active: usize) -> f64 {
        let plan = budget.plan(active);
        budget.dump / plan.dump_every.as_secs_f64() + budget.look * plan.looks as f64 / plan.look_every.as_secs_f64()
    }

    #[test]
    fn few_sockets_are_looked_at_as_wanted() {
        let plan = budget(0.01, 0.5, 5.0).plan(20);
        assert_eq!((plan.dump_every, plan.looks), (DUMP_EVERY, 20));
        assert!((plan.look_every.as_secs_f64() - 0.1).abs() < 1e-6);
    }

    #[test]
    fn many_are_looked_at_less_often() {
        let plan = budget(0.01, 0.5, 5.0).plan(500);
        assert!(plan.looks == 500 && plan.look_every > Duration::from_millis(200), "{plan:?}");
        let plan = budget(0.01, 0.5, 5.0).plan(50_000);
        assert!(plan.looks < 1000 && plan.look_every <= Duration::from_millis(500), "{plan:?}");
    }

    #[test]
    fn dumps_that_cost_much_come_seldom() {
        let plan = budget(0.01, 40.0, 5.0).plan(100);
        assert!((plan.dump_every.as_secs_f64() - 6.67).abs() < 0.1, "{plan:?}");
        assert_eq!(plan.looks, 100);
    }

    #[test]
    fn what_follows_a_look_is_paid_as_the_look() {
        let mut budget = budget(0.01, 10.0, 5.0);
        assert!((budget.plan(100).dump_every.as_secs_f64() - 1.67).abs() < 0.1);
        for _ in 0..50 {
            budget.followed(Duration::from_millis(20));
        }
        assert!((budget.plan(100).dump_every.as_secs_f64() - 5.0).abs() < 0.1);
    }

    #[test]
    fn the_budget_is_kept_whatever_there_is() {
        for share in [0.001, 0.01, 0.1] {
            for dump in [0.1, 5.0, 100.0, 2000.0] {
                for active in [0, 1, 100, 100_000] {
                    let budget = budget(share, dump, 8.0);
                    assert!(cpu(&budget, active) <= share * 1.001, "{share} {dump} {active}: {}", cpu(&budget, active));
                }
            }
        }
    }

    #[test]
    fn accounts_leave_room_for_what_is_told() {
        for (dump, tell) in [(40.0, 2.0), (2.0, 5.0), (500.0, 8.0)] {
            let mut budget = budget(0.01, dump, 8.0).accounted();
            for _ in 0..50 {
                budget.told(Duration::from_secs_f64(tell / 1e3));
            }
            let dumps = budget.dump / budget.plan(100).dump_every.as_secs_f64();
            let share = dumps + budget.tell / budget.tell_every().as_secs_f64();
            assert!(share <= 0.0071, "{dump} {tell}: {share}");
        }
    }

    /// What starting took is paid back by the time in which the budget comes to twice of it; meanwhile there is something to see.
    #[test]
    fn what_starting_takes_is_paid_back() {
        const SHARE: f64 = 0.01;
        let mut budget = Budget::new(SHARE, 10.0);
        budget.started(Duration::from_millis(200), Duration::from_millis(100));
        let (mut spent, mut next_look, mut next_dump, step) = (0.3, 0.0, 1.0, 0.01);
        let mut looks = [0; 2];
        for tick in 0..12_000 {
            let time = f64::from(tick) * step;
            budget.passed(Duration::from_secs_f64(step));
            let plan = budget.plan(200);
            if time >= next_dump {
                budget.dumped(Duration::from_millis(60));
                spent += 0.06;
                next_dump = time + budget.plan(200).dump_every.as_secs_f64();
            } else if time >= next_look {
                next_look = time + plan.look_every.as_secs_f64();
                budget.looked(plan.looks, Duration::from_secs_f64(plan.looks as f64 * 10e-6));
                spent += plan.looks as f64 * 10e-6;
                looks[usize::from(time >= 60.0)] += plan.looks;
            }
            if time > 62.0 {
                assert!(spent <= SHARE * time + budget.dump, "{spent} in {time} s");
            }
        }
        assert!(looks[0] > 4_000 && looks[1] > looks[0] * 3 / 2, "{looks:?}");
    }

    /// Each step takes as much again that no plan knows of: looks become fewer until all of it is within the budget.
    #[test]
    fn what_no_plan_knows_is_within_the_budget() {
        const SHARE: f64 = 0.01;
        let mut budget = Budget::new(SHARE, 10.0);
        let (mut cpu, mut next_look, mut next_dump, mut looks, step) = (0.0, 0.0, 0.0, 0, 0.01);
        for tick in 0..60_000 {
            let time = f64::from(tick) * step;
            budget.passed(Duration::from_secs_f64(step));
            budget.used(Duration::from_secs_f64(cpu), Duration::from_secs_f64(time));
            if time >= next_dump {
                budget.dumped(Duration::from_millis(20));
                cpu += 0.03;
                next_dump = time + budget.plan(500).dump_every.as_secs_f64();
            } else if time >= next_look {
                let plan = budget.plan(500);
                next_look = time + plan.look_every.as_secs_f64();
                budget.looked(plan.looks, Duration::from_secs_f64(plan.looks as f64 * 10e-6));
                cpu += plan.looks as f64 * 15e-6;
                looks += plan.looks;
            }
            if time > 60.0 {
                assert!(cpu <= SHARE * (time + 5.0) + 0.05, "{cpu} in {time} s");
            }
        }
        assert!(looks > 50_000, "{looks}");
    }

    #[test]
    fn names_that_cost_much_are_looked_for_seldom() {
        let mut budget = Budget::new(0.01, 10.0);
        assert_eq!(budget.name_every(), Duration::from_secs(1));
        budget.named(Duration::from_millis(100));
        // The first time is paid back meanwhile.
        assert_eq!(budget.name_every(), Duration::from_secs(100));
        budget.passed(Duration::from_secs(60));
        assert_eq!((budget.name_every(), budget.is_naming_cheap()), (Duration::from_secs(50), false));
    }

    #[test]
    fn debts_are_paid_by_time() {
        let mut budget = budget(0.01, 1.0, 5.0);
        budget.passed(Duration::from_secs(3600));
        assert!(!budget.is_in_debt());
        budget.spent(Duration::from_millis(100));
        assert!(budget.is_in_debt());
        budget.passed(Duration::from_secs(11));
        assert!(!budget.is_in_debt());
    }
}
