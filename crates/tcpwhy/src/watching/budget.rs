//! Plans how often sockets are scanned within a share of one processor: if scans get expensive, they become
//! rarer.

use std::time::Duration;

/// Shortest interval between scans of all sockets.
const DUMP_EVERY: Duration = Duration::from_secs(1);
/// Largest fraction of the budget for scans of all sockets.
const DUMP_SHARE: f64 = 0.6;
/// The same where the kernel's BPF programs measure: there, a scan only finds idle connections and the owners
/// of sockets.
const ACCOUNTED_DUMP_SHARE: f64 = 0.3;
/// Largest fraction of the budget for reading the kernel's measurements. The remaining budget pays for
/// reporting them.
const TELL_SHARE: f64 = 0.4;
/// Fewest samples per second of an active connection: fewer would hardly add to the scans of all sockets.
const LEAST_RATE: f64 = 2.0;
/// Shortest interval between searches for the processes of sockets, seconds.
const NAME_EVERY: f64 = 1.0;
/// Longest interval between reads of the kernel's measurements, whatever they cost, seconds: later, the ring
/// of events could overflow.
const TELL_EVERY: f64 = 2.0;
/// Largest fraction of the budget for finding the processes of sockets.
const NAME_SHARE: f64 = 0.2;
/// Fraction of the budget that pays back the cost of the start.
const LOAN_SHARE: f64 = 0.5;
/// Weight of a newer, lower cost in the moving average. A higher cost replaces the average at once, so that
/// the budget holds.
const NEWEST: f64 = 0.3;
/// Expected cost of the second scan relative to the first, which also allocates the state of every
/// connection.
const LATER_DUMP: f64 = 0.5;
/// CPU seconds of a search for names that may run without waiting.
const CHEAP_NAMES: f64 = 0.02;

/// Plans scans and samples from their measured costs.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Fraction of one processor.
    share: f64,
    /// Fraction of `share` for scans of all sockets.
    dump_share: f64,
    /// Wanted samples per second of active connections.
    rate: f64,
    /// CPU seconds per scan of all sockets.
    dump: f64,
    /// CPU seconds of the work after each scan.
    after: f64,
    /// CPU seconds per sample of one connection.
    look: f64,
    /// CPU seconds per read of the kernel's measurements.
    tell: f64,
    /// CPU seconds per search for the processes of sockets.
    name: f64,
    /// CPU seconds of unplanned work that are not paid back.
    debt: f64,
    /// CPU seconds of the start that are not paid back.
    loan: f64,
}

/// The intervals that the budget allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Interval between scans of all sockets.
    pub(crate) dump_every: Duration,
    /// Interval between samples of active connections.
    pub(crate) look_every: Duration,
    /// Active connections per sample round.
    pub(crate) looks: usize,
}

impl Budget {
    pub(crate) fn new(share: f64, rate: f64) -> Self {
        // Costs measured on a slow machine, used until the first scan replaces them.
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

    /// The same budget where the kernel's BPF programs measure.
    pub(crate) fn accounted(self) -> Self {
        Self { dump_share: ACCOUNTED_DUMP_SHARE, ..self }
    }

    pub(crate) fn share(&self) -> f64 {
        self.share
    }

    /// Fraction of one processor to spend now. The cost of the start is paid back slowly, so that output
    /// appears while it is.
    fn available(&self) -> f64 {
        if self.loan > 0.0 { self.share * (1.0 - LOAN_SHARE) } else { self.share }
    }

    /// Records the cost of the start. Later scans cost less because their memory is already allocated.
    pub(crate) fn started(&mut self, dump: Duration, name: Duration) {
        self.loan += (dump + name).as_secs_f64();
        self.dump = dump.as_secs_f64() * LATER_DUMP;
        self.name = name.as_secs_f64();
    }

    /// Whether a search for names is so cheap that it may run without waiting.
    pub(crate) fn is_naming_cheap(&self) -> bool {
        self.name <= CHEAP_NAMES
    }

    /// Records the cost of a scan of all sockets.
    pub(crate) fn dumped(&mut self, cpu: Duration) {
        learn(&mut self.dump, cpu.as_secs_f64());
    }

    /// Records the cost of the work after a scan of all sockets.
    pub(crate) fn followed(&mut self, cpu: Duration) {
        learn(&mut self.after, cpu.as_secs_f64());
    }

    /// Records the cost of sampling `count` connections.
    pub(crate) fn looked(&mut self, count: usize, cpu: Duration) {
        if count > 0 {
            learn(&mut self.look, cpu.as_secs_f64() / count as f64);
        }
    }

    /// Records the cost of reading the kernel's measurements.
    pub(crate) fn told(&mut self, cpu: Duration) {
        learn(&mut self.tell, cpu.as_secs_f64());
    }

    /// Records the cost of finding the processes of sockets.
    pub(crate) fn named(&mut self, cpu: Duration) {
        // The first search covers all sockets that existed before the start, so it is part of the loan.
        if self.name <= 0.0 {
            self.loan += cpu.as_secs_f64();
        }
        self.name = cpu.as_secs_f64();
    }

    /// Interval between searches for the processes of sockets.
    pub(crate) fn name_every(&self) -> Duration {
        Duration::from_secs_f64((self.name / (self.available() * NAME_SHARE)).max(NAME_EVERY))
    }

    /// Interval between reads of the kernel's measurements. A longer one loses nothing but the order of
    /// events.
    pub(crate) fn tell_every(&self) -> Duration {
        let least = self.tell / (self.available() * TELL_SHARE);
        Duration::from_secs_f64(least.max(1.0 / self.rate).min(TELL_EVERY))
    }

    /// Records the cost of other work: samples wait until it is paid back.
    pub(crate) fn spent(&mut self, cpu: Duration) {
        self.debt += cpu.as_secs_f64();
    }

    /// Pays back debt and loan for the elapsed time.
    pub(crate) fn passed(&mut self, time: Duration) {
        let earned = time.as_secs_f64() * self.share;
        let repaid = self.loan.min(earned * LOAN_SHARE);
        self.loan -= repaid;
        // Unused budget does not accumulate for a later burst.
        self.debt = (self.debt - (earned - repaid)).max(0.0);
    }

    /// Compares the CPU time really used with the elapsed time. The excess over the budget and one scan
    /// becomes a loan, so that the budget also holds with wrong or unplanned costs.
    pub(crate) fn used(&mut self, cpu: Duration, time: Duration) {
        let lump = self.dump + self.after + self.name;
        let excess = cpu.as_secs_f64() - time.as_secs_f64() * self.share - lump;
        self.loan = self.loan.max(excess);
    }

    /// Whether work that can wait should wait.
    pub(crate) fn is_in_debt(&self) -> bool {
        self.debt > 0.0
    }

    /// The intervals for this number of active connections.
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

/// Updates a known cost with the newest one.
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

    /// The cost of the start is paid back once the elapsed budget is twice that cost. Samples continue while
    /// it is paid back.
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

    /// Each step costs as much again as planned: samples become rarer until all of it is within the budget.
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
        // The first search is still being paid back.
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
