//! The kernel's measurements of each connection, from BPF programs, and the events that they report.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use tcpwhy_bpf::record::Told;
use tcpwhy_bpf::{Accountant, Part, Refused};
use tcpwhy_live::CodeFinder;
use tcpwhy_model::live::Process;
use tcpwhy_watch::LiveHost;

use super::events::Latest;

/// Processes whose control group is cached; for others it is read again.
const MOST_PROCESSES: usize = 4096;
/// Events per read whose stack is resolved to functions, because that is slow.
const MOST_STACKS: usize = 16;
/// Inode of the first PID namespace (`PROC_PID_INIT_INO`).
const FIRST_PID_NAMESPACE: &str = "pid:[4026531836]";

/// The reason why connections are sampled and not measured by BPF programs.
#[derive(Debug)]
pub(crate) enum WhySampled {
    /// `--mode samples`.
    Asked,
    /// The data is from a recording, which contains samples.
    Recorded,
    /// The kernel refused the BPF programs of this process.
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

/// Whether the kernel's process ids are the same in this PID namespace.
pub(crate) fn knows_processes() -> bool {
    std::fs::read_link("/proc/self/ns/pid").is_ok_and(|own| own.as_os_str() == FIRST_PID_NAMESPACE)
}

/// The kernel's measurements of all connections of this host.
pub(crate) struct Accounts {
    accountant: Accountant,
    known: Known,
    /// `Some` if events are to name the function that caused them.
    code: Option<CodeFinder>,
    /// Lost close events at the last read of all connections.
    lost_before: u64,
}

impl Accounts {
    /// Attaches the BPF programs. `clock` is the offset from the kernel's monotonic clock to the time of day,
    /// ns. With `watches_settings`, events report buffer sizes that applications set.
    pub(crate) fn attach(clock: i64, watches_settings: bool) -> Result<Self, Refused> {
        Ok(Self {
            accountant: Accountant::attach(clock, watches_settings)?,
            known: Known { is_seen: knows_processes(), processes: HashMap::new() },
            code: None,
            lost_before: 0,
        })
    }

    /// Resolves the functions of later events, if the kernel's process ids are valid here.
    pub(crate) fn find_code(&mut self) {
        self.code = self.known.is_seen.then(CodeFinder::default);
    }

    /// Whether this kernel accepted `part`.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.accountant.has(part)
    }

    /// Whether buffer sizes that applications set are no longer reported: watching them would slow too many
    /// system calls.
    pub(crate) fn rests_from_settings(&self) -> bool {
        self.accountant.rests_from_settings()
    }

    /// Whether a close event was lost since the last call.
    pub(crate) fn has_lost_ends(&mut self) -> bool {
        let lost = self.accountant.lost_ends();
        lost > std::mem::replace(&mut self.lost_before, lost)
    }

    /// Closed connections whose close event was lost.
    pub(crate) fn lost_ends(&self) -> u64 {
        self.accountant.lost_ends()
    }

    /// Events for which the kernel had no room.
    pub(crate) fn lost_events(&self) -> u64 {
        self.accountant.lost_events()
    }

    /// Reads one portion of the closed connections, and returns their number and whether there may be more.
    /// They are older than the data of [`Self::collect`], which must follow the last portion.
    pub(crate) fn take_ends(&mut self, host: &mut LiveHost) -> (u64, bool) {
        let Self { accountant, known, .. } = self;
        let mut count = 0;
        let has_more = accountant.ends(|Told { sample, account, process, .. }| {
            host.account(sample, account, process.and_then(|process| known.find(process)));
            count += 1;
        });
        (count, has_more)
    }

    /// Reads the changes since the last call and returns the number of changed connections.
    pub(crate) fn collect(&mut self, all: bool, host: &mut LiveHost, events: &mut Latest) -> io::Result<u64> {
        let Self { accountant, known, .. } = self;
        let mut count = 0;
        let mut take = |told: Told| {
            let Told { sample, account, process, .. } = told;
            host.account(sample, account, process.and_then(|process| known.find(process)));
            count += 1;
        };
        // Events come last because reading the connections makes the kernel emit pending ones.
        accountant.tell(all, &mut take)?;
        let mut happened = Vec::new();
        accountant.events(|event, stack| happened.push((event, stack)));
        // Each processor has its own buffer and aggregated events arrive late, so they are sorted.
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

    /// Whether the measurements can still be read with the capabilities of this thread.
    pub(crate) fn try_telling(&mut self) -> bool {
        self.accountant.tell(false, |_| ()).is_ok()
    }
}

/// Cache of processes with their control group.
struct Known {
    /// The kernel's process ids are the same in this PID namespace.
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
        // A process id may be reused by another program.
        if let Some(known) = self.processes.get(&process.pid).filter(|known| known.name == process.name) {
            return Some(Arc::clone(known));
        }
        process.cgroup = tcpwhy_live::cgroup_of(process.pid);
        let process = Arc::new(process);
        self.processes.insert(process.pid, Arc::clone(&process));
        Some(process)
    }
}
