//! What the kernel adds up of each connection, and the events beside it.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use tcpwhy_bpf::record::Told;
use tcpwhy_bpf::{Accountant, Part, Refused};
use tcpwhy_live::CodeFinder;
use tcpwhy_model::live::Process;
use tcpwhy_watch::LiveHost;

use super::events::Latest;

/// Processes that are remembered with their control group; of more it is asked for again.
const MOST_PROCESSES: usize = 4096;
/// Of so many events at once it is found out where in the code they were.
const MOST_STACKS: usize = 16;
/// Inode of the first PID namespace (`PROC_PID_INIT_INO`).
const FIRST_PID_NAMESPACE: &str = "pid:[4026531836]";

/// Why connections are sampled and not accounted for.
#[derive(Debug)]
pub(crate) enum WhySampled {
    /// `--mode samples`.
    Asked,
    /// It was recorded: recordings hold samples.
    Recorded,
    /// The kernel keeps no accounts for this process.
    Refused(Refused),
}

impl WhySampled {
    /// Message id of the reason.
    pub(crate) fn word(&self) -> String {
        format!("live-why-{}", self.id())
    }

    /// Stable kebab-case id.
    pub(crate) const fn id(&self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Recorded => "recorded",
            Self::Refused(refused) => refused.id(),
        }
    }
}

/// Whether process ids of the kernel are those that are seen here.
pub(crate) fn knows_processes() -> bool {
    std::fs::read_link("/proc/self/ns/pid").is_ok_and(|own| own.as_os_str() == FIRST_PID_NAMESPACE)
}

/// The kernel's accounts of all connections of this host.
pub(crate) struct Accounts {
    accountant: Accountant,
    known: Known,
    /// Where somebody wants to know where in the code events were.
    code: Option<CodeFinder>,
    /// How many ends had been lost when all connections were told of last.
    lost_before: u64,
}

impl Accounts {
    /// `clock` is what the kernel's monotonic clock lacks to say the time, ns. `watches_settings`: events tell which buffers
    /// applications set.
    pub(crate) fn attach(clock: i64, watches_settings: bool) -> Result<Self, Refused> {
        Ok(Self {
            accountant: Accountant::attach(clock, watches_settings)?,
            known: Known { is_seen: knows_processes(), processes: HashMap::new() },
            code: None,
            lost_before: 0,
        })
    }

    /// From now on events tell where in the code they were, as far as processes are seen.
    pub(crate) fn find_code(&mut self) {
        self.code = self.known.is_seen.then(CodeFinder::default);
    }

    /// Whether this kernel took `part`.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.accountant.has(part)
    }

    /// Whether nothing is told any more of buffers that applications set, since too many system calls would pay for it.
    pub(crate) fn rests_from_settings(&self) -> bool {
        self.accountant.rests_from_settings()
    }

    /// Whether some end of a connection was not told since this was asked last.
    pub(crate) fn has_lost_ends(&mut self) -> bool {
        let lost = self.accountant.lost_ends();
        lost > std::mem::replace(&mut self.lost_before, lost)
    }

    /// Connections that ended without being told of.
    pub(crate) fn lost_ends(&self) -> u64 {
        self.accountant.lost_ends()
    }

    /// Events for which the kernel had no room.
    pub(crate) fn lost_events(&self) -> u64 {
        self.accountant.lost_events()
    }

    /// Takes in some of the connections that ended since this was asked last: they are older than what [`Self::collect`] tells of,
    /// so that comes when there are no more. How many that was of, and whether there may be more.
    pub(crate) fn take_ends(&mut self, host: &mut LiveHost) -> (u64, bool) {
        let Self { accountant, known, .. } = self;
        let mut count = 0;
        let has_more = accountant.ends(|Told { sample, account, process, .. }| {
            host.account(sample, account, process.and_then(|process| known.find(process)));
            count += 1;
        });
        (count, has_more)
    }

    /// Takes in what happened since this was asked last; how many connections that was of.
    pub(crate) fn collect(&mut self, all: bool, host: &mut LiveHost, events: &mut Latest) -> io::Result<u64> {
        let Self { accountant, known, .. } = self;
        let mut count = 0;
        let mut take = |told: Told| {
            let Told { sample, account, process, .. } = told;
            host.account(sample, account, process.and_then(|process| known.find(process)));
            count += 1;
        };
        // Events come last: asking makes those that wait to be told.
        accountant.tell(all, &mut take)?;
        let mut happened = Vec::new();
        accountant.events(|event, stack| happened.push((event, stack)));
        // Each processor writes its own, and what was gathered is told late.
        happened.sort_by_key(|(event, _)| event.time);
        let mut stacks = MOST_STACKS;
        for (mut event, stack) in happened {
            if let (Some(finder), Some(stack)) = (&mut self.code, stack)
                && stacks > 0
            {
                event.code = finder.calls(&stack);
                stacks -= 1;
            }
            event.process = event.process.and_then(|process| self.known.find(process)).map(Arc::unwrap_or_clone);
            events.push(event);
        }
        Ok(count)
    }

    /// Whether the kernel still tells, with the rights of this thread.
    pub(crate) fn try_telling(&mut self) -> bool {
        self.accountant.tell(false, |_| ()).is_ok()
    }
}

/// Processes with their control group.
struct Known {
    /// Process ids of the kernel are those that are seen here.
    is_seen: bool,
    processes: HashMap<u32, Arc<Process>>,
}

impl Known {
    fn find(&mut self, mut process: Process) -> Option<Arc<Process>> {
        if !self.is_seen {
            return None;
        }
        if self.processes.len() > MOST_PROCESSES {
            self.processes.clear();
        }
        // A process id may be given again, to a program of another name.
        if let Some(known) = self.processes.get(&process.pid).filter(|known| known.name == process.name) {
            return Some(Arc::clone(known));
        }
        process.cgroup = tcpwhy_live::cgroup_of(process.pid);
        let process = Arc::new(process);
        self.processes.insert(process.pid, Arc::clone(&process));
        Some(process)
    }
}
