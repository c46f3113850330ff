//! Looks at the host's sockets as often as the budget allows, and keeps what that comes to.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::time::ClockId;
use tcpwhy_bpf::Part;
use tcpwhy_live::recording::{RecordedEffort, RecordedHost};
use tcpwhy_live::{Namespace, Processes, SocketId};
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{Limit, Timestamp};
use tcpwhy_watch::{LiveConnection, LiveHost};

use super::accounts::{Accounts, WhySampled};
use super::blind::Blind;
use super::budget::{Budget, Plan};
use super::clock::{Clock, cpu_time};
use super::events::{Latest, PruneCounters};
use super::log::Log;
use super::opens::OpenCounters;
use crate::environment::{host_name, kernel_release};
use crate::message::failure;
use crate::wrong::{Context as _, Result};

/// What was not found so often belongs to nobody who can be seen.
const NAME_TRIES: u8 = 3;
/// New network namespaces are looked for so often.
const NAMESPACES_EVERY: Duration = Duration::from_secs(3);
/// Ends come in so many portions until the kernel is asked for the rest, however fast more end.
const MOST_PORTIONS: usize = 16;
/// What the rate of samples is told over.
const RATE_OVER: Duration = Duration::from_secs(5);

/// Budgets that a recording may tell of.
const LEAST_SHARE: f64 = 0.0001;
const MOST_SHARE: f64 = 1.0;

/// Connections that rest are told to have rested so often, where that costs little.
const REST_EVERY: Duration = Duration::from_millis(500);
/// At most so much of the time that the budget pays for goes to that.
const REST_SHARE: f64 = 0.1;

/// Of which sockets it is found out whose they are, where the kernel's accounts do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Of all.
    All,
    /// Of those that have moved anything: nobody asks for others.
    Moved,
}

/// One network namespace.
struct Space {
    namespace: Namespace,
    /// By what its connections are asked for.
    ids: HashMap<u64, SocketId>,
}

/// How watching goes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) samples: u64,
    pub(crate) dumps: u64,
    /// What getting ready took, most of it in the kernel, which checks the programs that are to add up.
    pub(crate) setup: Duration,
    /// What watching took since.
    pub(crate) cpu: Duration,
    pub(crate) time: Duration,
    /// Samples a second, of late.
    pub(crate) rate: f64,
}

/// Watches this host.
pub(crate) struct Watch {
    spaces: Vec<Space>,
    pub(crate) host: LiveHost,
    processes: Processes,
    budget: Budget,
    /// The kernel's accounts, or why there are none.
    accounts: Result<Accounts, WhySampled>,
    pub(crate) events: Latest,
    /// Where nothing tells of receive queues that have no room.
    prunes: Option<PruneCounters>,
    /// Where no accounts are kept.
    opens: Option<OpenCounters>,
    /// When connections were told to have rested last, and when they will be.
    next_rest: Instant,
    clock: Clock,
    began: Instant,
    began_at: Timestamp,
    next_dump: Instant,
    next_look: Instant,
    /// What taking in ends took since the kernel was asked for the rest.
    ends: Duration,
    /// In how many portions they came since then.
    portions: usize,
    names_read: Option<Instant>,
    namespaces_read: Instant,
    paid: Instant,
    /// What the thread that watches has taken since the first step, and in all as of the latest: others may go on with it.
    used: (Duration, Option<Duration>),
    looks_into_all: bool,
    could_enter_all: bool,
    /// Inodes whose process could not be found, and how often.
    nameless: HashMap<u64, u8>,
    /// Sockets whose buffers' locks were asked for.
    asked_locks: HashSet<SocketKey>,
    /// Those that did of late, as of the last look at all.
    busy: Vec<SocketKey>,
    /// Whether there are other network namespaces.
    has_others: bool,
    effort: Effort,
    marked: (Instant, u64),
    is_kernel_old: bool,
    pub(crate) names: Names,
    /// The one to look at as often as can be.
    pub(crate) selected: Option<SocketKey>,
    /// What is observed goes there as well.
    pub(crate) log: Option<Log>,
    /// It was watched before, and what became of that is recorded.
    past: Option<(RecordedHost, RecordedEffort)>,
}

impl Watch {
    /// Of the own network namespace, or of all that can be entered.
    pub(crate) fn start(
        looks_into_all: bool,
        budget: Budget,
        host: LiveHost,
        clock: Clock,
        accounts: Result<Accounts, WhySampled>,
    ) -> Result<Self> {
        #[cfg(feature = "fast-memory")]
        crate::memory::keep_for_seconds();
        let own = Namespace::own().context(failure("no-sock-diag"))?;
        let spaces = vec![Space { namespace: own, ids: HashMap::new() }];
        let mut watch = Self::new(spaces, looks_into_all, budget, host, clock, accounts);
        watch.has_others = has_others();
        let settings = tcpwhy_live::sysctl_text().unwrap_or_default();
        watch.host.set_largest_send_buffer(tcpwhy_live::largest_send_buffer(&settings));
        let is_told = watch.accounts().is_some_and(|accounts| accounts.has(Part::Pruning));
        watch.prunes = (!is_told).then(PruneCounters::start);
        watch.opens = (!is_told).then(OpenCounters::start);
        watch.enter_others();
        Ok(watch)
    }

    /// The same by samples alone.
    pub(crate) fn start_sampling(looks_into_all: bool, budget: Budget, host: LiveHost) -> Result<Self> {
        Self::start(looks_into_all, budget, host, Clock::start(), Err(WhySampled::Asked))
    }

    /// Of a host that was watched before: what there is to see is told by [`Self::recall`].
    pub(crate) fn of_the_past() -> Self {
        let (budget, accounts) = (Budget::new(1.0, 1.0), Err(WhySampled::Recorded));
        let new = Self::new(Vec::new(), false, budget, LiveHost::new(), Clock::start(), accounts);
        Self { past: Some(Default::default()), ..new }
    }

    /// What a recording says so far of the host, and of how it was watched.
    pub(crate) fn recall(&mut self, of: &RecordedHost, effort: &RecordedEffort) {
        self.began_at = of.began;
        // Of a file: a share of a processor, or some.
        let share = if effort.budget.is_finite() { effort.budget.clamp(LEAST_SHARE, MOST_SHARE) } else { LEAST_SHARE };
        self.budget = Budget::new(share, 1.0);
        self.past = Some((of.clone(), effort.clone()));
        self.note_active();
    }

    fn new(
        spaces: Vec<Space>,
        looks_into_all: bool,
        budget: Budget,
        host: LiveHost,
        clock: Clock,
        accounts: Result<Accounts, WhySampled>,
    ) -> Self {
        let now = Instant::now();
        let budget = if accounts.is_ok() { budget.accounted() } else { budget };
        Self {
            spaces,
            host,
            processes: Processes::default(),
            budget,
            accounts,
            events: Latest::default(),
            prunes: None,
            opens: None,
            next_rest: now,
            clock,
            began: now,
            began_at: clock.now(),
            next_dump: now,
            next_look: now,
            ends: Duration::ZERO,
            portions: 0,
            names_read: None,
            namespaces_read: now,
            paid: now,
            used: (Duration::ZERO, None),
            looks_into_all,
            could_enter_all: true,
            nameless: HashMap::new(),
            asked_locks: HashSet::new(),
            busy: Vec::new(),
            has_others: false,
            effort: Effort { setup: cpu_time(ClockId::ProcessCPUTime), ..Effort::default() },
            marked: (now, 0),
            is_kernel_old: false,
            names: Names::All,
            selected: None,
            log: None,
            past: None,
        }
    }

    /// The time now.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Why there are only samples; `None` where the kernel keeps accounts.
    pub(crate) fn why_sampled(&self) -> Option<&WhySampled> {
        self.accounts.as_ref().err()
    }

    /// The kernel's accounts.
    pub(crate) fn accounts(&self) -> Option<&Accounts> {
        self.accounts.as_ref().ok()
    }

    /// The same, to be asked.
    pub(crate) fn accounts_mut(&mut self) -> Option<&mut Accounts> {
        self.accounts.as_mut().ok()
    }

    pub(crate) fn began_at(&self) -> Timestamp {
        self.began_at
    }

    /// How many connections move something, as of the last look at all.
    pub(crate) fn busy(&self) -> usize {
        self.busy.len()
    }

    pub(crate) fn namespaces(&self) -> usize {
        self.past.as_ref().map_or(self.spaces.len(), |(_, effort)| effort.namespaces as usize)
    }

    /// Name of the host, and release of its kernel.
    pub(crate) fn names(&self) -> [Option<String>; 2] {
        match &self.past {
            Some((of, _)) => {
                [&of.name, &of.kernel_release].map(|name| Some(name.clone()).filter(|name| !name.is_empty()))
            }
            None => [host_name(), kernel_release()],
        }
    }

    pub(crate) fn budget(&self) -> f64 {
        self.budget.share()
    }

    /// When there is something to do next.
    pub(crate) fn due(&self) -> Instant {
        self.next_dump.min(self.next_look)
    }

    pub(crate) fn effort(&self) -> Effort {
        if let Some((_, effort)) = &self.past {
            let [cpu, time] = [effort.cpu, effort.time].map(Duration::from_nanos);
            let rate = effort.samples as f64 / time.as_secs_f64().max(0.001);
            return Effort { setup: Duration::ZERO, samples: effort.samples, dumps: effort.dumps, cpu, time, rate };
        }
        let cpu = cpu_time(ClockId::ProcessCPUTime).saturating_sub(self.effort.setup);
        Effort { cpu, time: self.began.elapsed(), ..self.effort }
    }

    pub(crate) fn plan(&self) -> Plan {
        self.budget.plan(self.busy.len())
    }

    /// What is not seen.
    pub(crate) fn blind(&self) -> Vec<Blind> {
        if let Some((_, effort)) = &self.past {
            return Blind::ALL.into_iter().filter(|blind| effort.blind.iter().any(|id| id == blind.id())).collect();
        }
        let lacks = |part| self.accounts().is_some_and(|accounts| !accounts.has(part));
        let rests_from_settings = self.accounts().is_some_and(Accounts::rests_from_settings);
        let sees_own_only = !self.looks_into_all && self.has_others;
        [
            (Blind::Between, self.accounts.is_err()),
            (Blind::Writers, lacks(Part::Writes) || lacks(Part::WriteEnds)),
            (Blind::Settings, lacks(Part::Settings) && !rests_from_settings),
            (Blind::LaterSettings, rests_from_settings),
            (Blind::LostEvents, self.accounts().is_some_and(|accounts| accounts.lost_events() > 0)),
            (Blind::LostEnds, self.accounts().is_some_and(|accounts| accounts.lost_ends() > 0)),
            (Blind::OldEvents, self.events.left_out() > 0),
            // Where nobody had to be looked for, nobody was hidden.
            (Blind::Names, self.names_read.is_some() && !self.processes.could_see_all()),
            (Blind::Namespaces, sees_own_only && self.accounts.is_err()),
            (Blind::IdleNamespaces, sees_own_only && self.accounts.is_ok()),
            (Blind::SomeNamespaces, !self.could_enter_all),
            (Blind::Slow, self.accounts.is_err() && self.plan().dump_every > Duration::from_secs(1)),
            (Blind::OldKernel, self.is_kernel_old),
        ]
        .into_iter()
        .filter_map(|(blind, is_so)| is_so.then_some(blind))
        .collect()
    }

    /// Sockets of connections that were opened since it began, where only samples are taken.
    pub(crate) fn opened(&self) -> Option<u64> {
        self.opens.as_ref()?.since()
    }

    /// Does what is due.
    pub(crate) fn step(&mut self) -> Result<()> {
        let now = Instant::now();
        self.budget.passed(now.saturating_duration_since(self.paid));
        self.paid = now;
        // Of this thread: what others do, such as writing packets, is not looking.
        let taken = cpu_time(ClockId::ThreadCPUTime);
        let before = self.used.1.replace(taken).unwrap_or(taken);
        self.used.0 += taken.saturating_sub(before);
        self.budget.used(self.used.0, now.saturating_duration_since(self.began));
        if now >= self.next_dump {
            self.dump()?;
        } else if now >= self.next_look && self.accounts.is_ok() {
            self.tell(false)?;
        } else if now >= self.next_look {
            self.look();
        }
        self.host.take_failures().into_iter().for_each(|event| self.events.push(event));
        let (since, samples) = self.marked;
        if since.elapsed() >= RATE_OVER || self.effort.rate <= 0.0 {
            let seconds = since.elapsed().as_secs_f64().max(0.001);
            self.effort.rate = (self.effort.samples - samples) as f64 / seconds;
            if since.elapsed() >= RATE_OVER {
                self.marked = (Instant::now(), self.effort.samples);
            }
        }
        Ok(())
    }

    /// Looks at every socket now, whether it is due or not: for the end.
    pub(crate) fn look_at_all(&mut self) -> Result<()> {
        // Whoever came last has a name as well, if that is cheap, or if few have one so far.
        if self.budget.is_naming_cheap() || self.effort.dumps < 3 {
            self.names_read = None;
        }
        // Where the kernel keeps accounts, a look at all sockets finds only those that rest.
        if self.accounts.is_err() || self.names == Names::All || self.effort.dumps < 2 {
            self.dump()?;
        }
        if self.accounts.is_ok() {
            self.tell(true)?;
        }
        Ok(())
    }

    /// The same in between. Names are looked for when they are due: that takes longer than all else.
    pub(crate) fn look_at_all_again(&mut self) -> Result<()> {
        self.dump()
    }

    /// Asks the kernel what it has added up, of all connections or of those that moved or wait.
    fn tell(&mut self, is_last: bool) -> Result<()> {
        let Ok(accounts) = &mut self.accounts else { return Ok(()) };
        let before = cpu_time(ClockId::ThreadCPUTime);
        let began = self.clock.now();
        // While thousands end between two looks, whoever tells of them takes its turn before the next ones come.
        while self.portions < MOST_PORTIONS {
            self.portions += 1;
            let (count, has_more) = accounts.take_ends(&mut self.host);
            self.effort.samples += count;
            if !has_more {
                break;
            }
            if !is_last {
                self.ends += cpu_time(ClockId::ThreadCPUTime).saturating_sub(before);
                self.next_look = Instant::now();
                return Ok(());
            }
        }
        self.portions = 0;
        // Whose end was not told is found by who is left.
        let is_sweep = accounts.has_lost_ends();
        let count = accounts
            .collect(is_sweep || is_last, &mut self.host, &mut self.events)
            .context(failure("asking-accounts"))?;
        self.effort.samples += count;
        if is_sweep {
            self.host.sweep_accounts(began);
        }
        let mut told = cpu_time(ClockId::ThreadCPUTime);
        self.budget.told(told.saturating_sub(before) + std::mem::take(&mut self.ends));
        if is_last || Instant::now() >= self.next_rest {
            self.host.rest(began);
            self.note_active();
            let rested = cpu_time(ClockId::ThreadCPUTime).saturating_sub(told);
            told += rested;
            self.budget.spent(rested);
            self.next_rest = Instant::now() + REST_EVERY.max(rested.div_f64(self.budget.share() * REST_SHARE));
        }
        self.next_look = Instant::now() + self.budget.tell_every();
        Ok(())
    }

    /// Does what else is to be done of what was found: the budget pays for it, too.
    pub(crate) fn spend<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = cpu_time(ClockId::ThreadCPUTime);
        let done = work(self);
        self.budget.spent(cpu_time(ClockId::ThreadCPUTime).saturating_sub(before));
        done
    }

    /// Does what follows every look at all sockets: the budget pays for it as for the look.
    pub(crate) fn follow_look(&mut self, work: impl FnOnce(&mut Self)) {
        let before = cpu_time(ClockId::ThreadCPUTime);
        work(self);
        self.budget.followed(cpu_time(ClockId::ThreadCPUTime).saturating_sub(before));
    }

    /// Looks at every socket.
    fn dump(&mut self) -> Result<()> {
        let before = cpu_time(ClockId::ThreadCPUTime);
        if self.looks_into_all && self.namespaces_read.elapsed() >= NAMESPACES_EVERY {
            self.enter_others();
        }
        let clock = self.clock;
        for space in &mut self.spaces {
            let inode = space.namespace.inode;
            let began = clock.now();
            let ids = &mut space.ids;
            ids.clear();
            let (host, samples, is_old) = (&mut self.host, &mut self.effort.samples, &mut self.is_kernel_old);
            let log = &mut self.log;
            let dumped = space.namespace.sockets.dump_messages(|socket, id, message| {
                let key = SocketKey { namespace: inode, cookie: id.cookie() };
                let time = clock.now();
                if let Some(log) = log {
                    log.sample(time, key, &socket, message);
                }
                if is_connection(&socket) {
                    ids.insert(id.cookie(), id);
                    *samples += 1;
                    // What is left of a closed socket counts nothing, on any kernel.
                    let is_whole = socket.info.snd_mss.is_some();
                    *is_old |= is_whole && (socket.info.busy_time.is_none() || socket.info.snd_wnd.is_none());
                }
                host.observe(KernelSample { time, key, socket });
            });
            match dumped {
                Ok(()) => {
                    self.host.sweep(inode, began);
                    if let Some(log) = &mut self.log {
                        log.asked(inode, began);
                    }
                }
                // What was not told is not gone.
                Err(error) if self.effort.dumps == 0 => {
                    return Err(error).context(failure("no-sock-diag"));
                }
                Err(_) => {}
            }
        }
        self.effort.dumps += 1;
        self.note_active();
        if let Some(prunes) = &mut self.prunes {
            prunes.tell(clock.now(), &mut self.events);
        }
        let spent = cpu_time(ClockId::ThreadCPUTime).saturating_sub(before);
        let naming = self.name();
        if self.effort.dumps > 1 {
            self.budget.dumped(spent + naming);
        } else {
            self.budget.started(spent, naming);
        }
        let plan = self.plan();
        self.next_dump = Instant::now() + plan.dump_every;
        if self.accounts.is_err() {
            self.next_look = Instant::now() + plan.look_every;
        }
        Ok(())
    }

    /// Looks at those that are active, and at the selected one.
    fn look(&mut self) {
        let plan = self.plan();
        self.next_look = (self.next_look + plan.look_every).max(Instant::now());
        if self.budget.is_in_debt() {
            return;
        }
        let before = cpu_time(ClockId::ThreadCPUTime);
        let mut wanted: Vec<(f64, SocketKey)> = self
            .busy
            .iter()
            .copied()
            .chain(self.selected)
            .filter_map(|key| Some((self.interest(self.host.connection(key)?), key)))
            .collect();
        if wanted.len() > plan.looks {
            wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
            wanted.truncate(plan.looks.max(usize::from(self.selected.is_some())));
        }
        // The selected one may be among the busy ones.
        let wanted: HashSet<SocketKey> = wanted.into_iter().map(|(_, key)| key).collect();
        let clock = self.clock;
        for space in &mut self.spaces {
            let namespace = space.namespace.inode;
            let here = wanted.iter().filter(|key| key.namespace == namespace);
            let known = here.filter_map(|key| Some((key.cookie, *space.ids.get(&key.cookie)?)));
            let (cookies, ids): (Vec<u64>, Vec<SocketId>) = known.unzip();
            let (host, samples, log) = (&mut self.host, &mut self.effort.samples, &mut self.log);
            // What cannot be asked now is asked with all others.
            let _ = space.namespace.sockets.ask(&ids, |index, socket| {
                let key = SocketKey { namespace, cookie: cookies[index] };
                if let Some((socket, message)) = socket {
                    *samples += 1;
                    let time = clock.now();
                    if let Some(log) = log {
                        log.sample(time, key, &socket, message);
                    }
                    host.observe(KernelSample { time, key, socket });
                } else {
                    if let Some(log) = log {
                        log.gone(key);
                    }
                    host.forget(key);
                }
            });
        }
        self.budget.looked(wanted.len(), cpu_time(ClockId::ThreadCPUTime).saturating_sub(before));
    }

    /// The selected one first, then those that lose time, then those that move most.
    fn interest(&self, connection: &LiveConnection) -> f64 {
        if Some(connection.key()) == self.selected {
            return f64::INFINITY;
        }
        let [sent, received] = connection.rates();
        let moves = (1.0 + sent.bytes_per_sec() + received.bytes_per_sec()).log2();
        moves + if connection.limit_now().is_removable() { 100.0 } else { 0.0 }
    }

    fn note_active(&mut self) {
        self.busy = self.host.connections().filter(|c| c.is_active()).map(LiveConnection::key).collect();
    }

    /// Finds out whose the sockets are, and which of their buffers were set where that matters. What that takes after every look
    /// at all sockets; looking at all processes, which comes seldom, is paid apart.
    fn name(&mut self) -> Duration {
        let before = cpu_time(ClockId::ThreadCPUTime);
        let inode = |c: &LiveConnection| c.socket().inode;
        // The kernel's accounts name whoever reads or writes, soon after it did.
        let is_named_soon = |c: &LiveConnection| self.accounts.is_ok() && c.samples() < 2;
        let is_new = |c: &&LiveConnection| {
            c.process().is_none()
                && !is_named_soon(c)
                && (self.names == Names::All || c.has_moved())
                && inode(c).is_some_and(|i| self.nameless.get(&i).is_none_or(|&n| n < NAME_TRIES))
        };
        let found: Vec<(SocketKey, u64)> =
            self.host.connections().filter(is_new).filter_map(|c| Some((c.key(), inode(c)?))).collect();
        let every = self.budget.name_every();
        // At the first look nobody has moved yet.
        let waits = self.names == Names::Moved && self.effort.dumps < 2;
        let is_due = !waits && self.names_read.is_none_or(|read| read.elapsed() >= every && !self.budget.is_in_debt());
        let has_read = is_due && found.iter().any(|(_, inode)| self.processes.of(*inode).is_none());
        if has_read {
            self.processes.find(&found.iter().map(|(_, inode)| *inode).collect());
            self.names_read = Some(Instant::now());
        }
        for (key, inode) in found {
            match self.processes.of(inode) {
                Some(process) => {
                    if let Some(log) = &mut self.log {
                        log.process(key, process);
                    }
                    self.host.assign(key, Arc::clone(process));
                }
                None if has_read => {
                    *self.nameless.entry(inode).or_default() += 1;
                }
                None => {}
            }
        }
        let holds = |c: &&LiveConnection| {
            matches!(c.limit_now().limit, Limit::SendBuffer | Limit::ReceiveWindow)
                && c.socket().locks.is_none()
                && !self.asked_locks.contains(&c.key())
        };
        let wanted: Vec<_> = self
            .host
            .connections()
            .filter(holds)
            .filter_map(|c| Some((c.key(), c.process()?.pid, inode(c)?)))
            .take(LOCKS_AT_ONCE)
            .collect();
        for (key, pid, inode) in wanted {
            self.asked_locks.insert(key);
            if let Some(locks) = tcpwhy_live::locks_of(pid, inode) {
                if let Some(log) = &mut self.log {
                    log.locks(key, locks);
                }
                self.host.lock(key, locks);
            }
        }
        // These sets follow the sockets that there are.
        if self.nameless.len() + self.asked_locks.len() > 2 * self.host.len() + 1000 {
            let inodes: HashSet<u64> = self.host.connections().filter_map(inode).collect();
            self.nameless.retain(|inode, _| inodes.contains(inode));
            self.asked_locks.retain(|key| self.host.connection(*key).is_some());
        }
        let spent = cpu_time(ClockId::ThreadCPUTime).saturating_sub(before);
        if !has_read {
            return spent;
        }
        if self.effort.dumps > 1 {
            self.budget.named(spent);
            return Duration::ZERO;
        }
        spent
    }

    fn enter_others(&mut self) {
        self.namespaces_read = Instant::now();
        if !self.looks_into_all {
            return;
        }
        let own = self.spaces.first().map(|space| space.namespace.inode);
        let known: HashSet<u64> = self.spaces.iter().map(|space| space.namespace.inode).collect();
        let others = Namespace::others(|inode| known.contains(&inode));
        self.could_enter_all = others.could_enter_all();
        // A namespace that no process is in any more would live on for as long as it is asked.
        let now = self.now();
        for gone in known.into_iter().filter(|inode| Some(*inode) != own && !others.seen.contains(inode)) {
            self.spaces.retain(|space| space.namespace.inode != gone);
            self.host.sweep(gone, now);
            if let Some(log) = &mut self.log {
                log.asked(gone, now);
            }
        }
        self.spaces.extend(others.entered.into_iter().map(|namespace| Space { namespace, ids: HashMap::new() }));
    }
}

/// Finding a descriptor of a process with very many takes its time.
const LOCKS_AT_ONCE: usize = 8;

fn is_connection(socket: &SocketSample) -> bool {
    socket.state.is_some_and(|s| s.is_connected() || matches!(s, TcpState::SynSent | TcpState::SynReceived))
}

/// Whether a process that can be looked into is in another network namespace.
fn has_others() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let inode = |path: &std::path::Path| std::fs::metadata(path).ok().map(|ns| ns.ino());
    let own = inode(std::path::Path::new("/proc/self/ns/net"));
    let processes = std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let mut others = processes.filter_map(|entry| inode(&entry.path().join("ns/net")));
    others.any(|other| Some(other) != own)
}
