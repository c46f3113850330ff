//! Samples the host's sockets as often as the CPU budget allows, and keeps the resulting state of each
//! connection.

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

/// Searches for the process of a socket before giving up: after 3, its owner is not visible to this user.
const NAME_TRIES: u8 = 3;
/// Interval between searches for new network namespaces.
const NAMESPACES_EVERY: Duration = Duration::from_secs(3);
/// Portions of closed connections that are read before the open ones: a flood of closes must not delay those
/// without end.
const MOST_PORTIONS: usize = 16;
/// Time over which the rate of samples is averaged.
const RATE_OVER: Duration = Duration::from_secs(5);

/// Range of CPU shares that is accepted from a recording, whose file may contain any number.
const LEAST_SHARE: f64 = 0.0001;
const MOST_SHARE: f64 = 1.0;

/// Shortest interval between updates of idle connections, whose time must advance although the kernel reports
/// nothing new.
const REST_EVERY: Duration = Duration::from_millis(500);
/// Largest fraction of the CPU budget for these updates.
const REST_SHARE: f64 = 0.1;

/// Sockets whose process is searched for, where the kernel's programs do not report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// All sockets.
    All,
    /// Sockets that have moved data: the names of others are not shown.
    Moved,
}

/// One network namespace.
struct Space {
    namespace: Namespace,
    /// Kernel ids of its connections by cookie, needed to query a single one.
    ids: HashMap<u64, SocketId>,
}

/// The cost of watching, and the rate of samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) samples: u64,
    pub(crate) dumps: u64,
    /// CPU time of the start, mostly the kernel's verification of the BPF programs.
    pub(crate) setup: Duration,
    /// CPU time of the watching since then.
    pub(crate) cpu: Duration,
    pub(crate) time: Duration,
    /// Recent samples per second.
    pub(crate) rate: f64,
}

/// Watches this host.
pub(crate) struct Watch {
    spaces: Vec<Space>,
    pub(crate) host: LiveHost,
    processes: Processes,
    budget: Budget,
    /// The measurements of the kernel's BPF programs, or the reason why only samples are taken.
    accounts: Result<Accounts, WhySampled>,
    pub(crate) events: Latest,
    /// `Some` where no event reports a full receive queue.
    prunes: Option<PruneCounters>,
    /// `Some` where only samples are taken, which miss short connections.
    opens: Option<OpenCounters>,
    /// Time of the next update of idle connections.
    next_rest: Instant,
    clock: Clock,
    began: Instant,
    began_at: Timestamp,
    next_dump: Instant,
    next_look: Instant,
    /// CPU time spent on closed connections since the open ones were read last.
    ends: Duration,
    /// Portions of closed connections read since then.
    portions: usize,
    names_read: Option<Instant>,
    namespaces_read: Instant,
    paid: Instant,
    /// CPU time of the watching since the first step, and the thread's total at the latest step. The thread
    /// may change in between.
    used: (Duration, Option<Duration>),
    looks_into_all: bool,
    could_enter_all: bool,
    /// Inodes whose process could not be found, and how often.
    nameless: HashMap<u64, u8>,
    /// Sockets whose buffer locks (`SO_BUF_LOCK`) were queried.
    asked_locks: HashSet<SocketKey>,
    /// Recently active connections, as of the last scan of all sockets.
    busy: Vec<SocketKey>,
    /// Whether there are other network namespaces.
    has_others: bool,
    effort: Effort,
    marked: (Instant, u64),
    is_kernel_old: bool,
    pub(crate) names: Names,
    /// The connection to sample as often as possible.
    pub(crate) selected: Option<SocketKey>,
    /// Also receives every observation, for a recording.
    pub(crate) log: Option<Log>,
    /// `Some` for the replay of a recording: nothing is measured then.
    past: Option<(RecordedHost, RecordedEffort)>,
}

impl Watch {
    /// Starts in the process's own network namespace, or in all that it can enter.
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

    /// Starts without the kernel's BPF programs, from samples alone.
    pub(crate) fn start_sampling(looks_into_all: bool, budget: Budget, host: LiveHost) -> Result<Self> {
        Self::start(looks_into_all, budget, host, Clock::start(), Err(WhySampled::Asked))
    }

    /// Creates the replay of a recording, which [`Self::recall`] fills.
    pub(crate) fn of_the_past() -> Self {
        let (budget, accounts) = (Budget::new(1.0, 1.0), Err(WhySampled::Recorded));
        let new = Self::new(Vec::new(), false, budget, LiveHost::new(), Clock::start(), accounts);
        Self { past: Some(Default::default()), ..new }
    }

    /// Takes over the recorded data about the host and the effort up to the present position in the
    /// recording.
    pub(crate) fn recall(&mut self, of: &RecordedHost, effort: &RecordedEffort) {
        self.began_at = of.began;
        // The number is from a file and may be anything.
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

    /// The present time, or that of a recording.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The reason why only samples are taken; `None` where the kernel's BPF programs measure.
    pub(crate) fn why_sampled(&self) -> Option<&WhySampled> {
        self.accounts.as_ref().err()
    }

    /// The kernel's measurements, if its BPF programs run.
    pub(crate) fn accounts(&self) -> Option<&Accounts> {
        self.accounts.as_ref().ok()
    }

    /// The same, mutable: reading them changes them.
    pub(crate) fn accounts_mut(&mut self) -> Option<&mut Accounts> {
        self.accounts.as_mut().ok()
    }

    pub(crate) fn began_at(&self) -> Timestamp {
        self.began_at
    }

    /// Connections that moved data at the last scan of all sockets.
    pub(crate) fn busy(&self) -> usize {
        self.busy.len()
    }

    pub(crate) fn namespaces(&self) -> usize {
        self.past.as_ref().map_or(self.spaces.len(), |(_, effort)| effort.namespaces as usize)
    }

    /// The host's name and its kernel's release.
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

    /// Time of the next scan or sample.
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

    /// The events and sockets that this watching cannot see.
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
            // Without a search for processes, none was hidden.
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

    /// Sockets of connections opened since the start; `None` unless only samples are taken.
    pub(crate) fn opened(&self) -> Option<u64> {
        self.opens.as_ref()?.since()
    }

    /// Scans, samples or reads the kernel's measurements, whichever is due.
    pub(crate) fn step(&mut self) -> Result<()> {
        let now = Instant::now();
        self.budget.passed(now.saturating_duration_since(self.paid));
        self.paid = now;
        // This thread alone: the work of others, such as writing packets, is outside the budget.
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

    /// Scans every socket now, even if none is due: the last scan of a run.
    pub(crate) fn look_at_all(&mut self) -> Result<()> {
        // Names the newest sockets as well if that is cheap, or if the run was so short that few have a name.
        if self.budget.is_naming_cheap() || self.effort.dumps < 3 {
            self.names_read = None;
        }
        // The BPF programs report active connections, so a scan adds only idle ones.
        if self.accounts.is_err() || self.names == Names::All || self.effort.dumps < 2 {
            self.dump()?;
        }
        if self.accounts.is_ok() {
            self.tell(true)?;
        }
        Ok(())
    }

    /// Scans every socket during the run. It searches for names only when they are due: that costs most.
    pub(crate) fn look_at_all_again(&mut self) -> Result<()> {
        self.dump()
    }

    /// Reads the kernel's measurements of the connections that moved data or wait, and of all of them if
    /// `is_last`.
    fn tell(&mut self, is_last: bool) -> Result<()> {
        let Ok(accounts) = &mut self.accounts else { return Ok(()) };
        let before = cpu_time(ClockId::ThreadCPUTime);
        let began = self.clock.now();
        // Returns after each portion, so that the caller can report it before the next one.
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
        // After a lost close event, all open connections are read: the missing ones have ended.
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

    /// Does other work for the caller and charges its CPU time to the budget.
    pub(crate) fn spend<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = cpu_time(ClockId::ThreadCPUTime);
        let done = work(self);
        self.budget.spent(cpu_time(ClockId::ThreadCPUTime).saturating_sub(before));
        done
    }

    /// Does the caller's work after each scan of all sockets and charges it as part of the scan.
    pub(crate) fn follow_look(&mut self, work: impl FnOnce(&mut Self)) {
        let before = cpu_time(ClockId::ThreadCPUTime);
        work(self);
        self.budget.followed(cpu_time(ClockId::ThreadCPUTime).saturating_sub(before));
    }

    /// Scans every socket.
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
                    // A closed socket (TIME_WAIT) has no counters on any kernel, so it does not show the
                    // kernel's age.
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
                // After a failed scan, missing sockets are not known to have ended.
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

    /// Samples the active connections and the selected one.
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
        // The set removes a duplicate: the selected connection may be an active one.
        let wanted: HashSet<SocketKey> = wanted.into_iter().map(|(_, key)| key).collect();
        let clock = self.clock;
        for space in &mut self.spaces {
            let namespace = space.namespace.inode;
            let here = wanted.iter().filter(|key| key.namespace == namespace);
            let known = here.filter_map(|key| Some((key.cookie, *space.ids.get(&key.cookie)?)));
            let (cookies, ids): (Vec<u64>, Vec<SocketId>) = known.unzip();
            let (host, samples, log) = (&mut self.host, &mut self.effort.samples, &mut self.log);
            // After an error, the next scan of all sockets covers these.
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

    /// The priority for sampling: the selected connection, then those that lose time, then the fastest.
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

    /// Finds the sockets' processes, and where it matters which buffers were set. Returns the CPU time to
    /// expect after every scan. The rare search of all processes is charged separately.
    fn name(&mut self) -> Duration {
        let before = cpu_time(ClockId::ThreadCPUTime);
        let inode = |c: &LiveConnection| c.socket().inode;
        // The BPF programs report the process soon after its first read or write.
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
        // At the first scan, no connection is known to have moved data.
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
        // Drops closed sockets from these sets, which would grow without bound.
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
        // The open socket would keep a namespace alive after its last process.
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

/// Sockets whose buffer locks are queried per pass: finding the descriptor is slow in a process that has very
/// many.
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
