//! What the kernel adds up of each connection, and the events beside it.

use std::collections::HashMap;
use std::io;

use tcpwhy_analysis::live::LiveHost;
use tcpwhy_bpf::record::Told;
use tcpwhy_bpf::{Accountant, Part, Refused};
use tcpwhy_model::live::Process;

use super::events::Latest;

/// Processes whose control group is remembered; more are asked for again.
const MOST_PROCESSES: usize = 4096;
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

/// The kernel's accounts of all connections of this host.
pub(crate) struct Accounts {
    accountant: Accountant,
    /// Process ids of the kernel are those that are seen here.
    knows_processes: bool,
    cgroups: HashMap<u32, (String, Option<String>)>,
    /// How many ends had been lost when all connections were told of last.
    lost_before: u64,
}

impl Accounts {
    /// `clock` is what the kernel's monotonic clock lacks to say the time, ns. `watches_settings`: events tell which buffers
    /// applications set.
    pub(crate) fn attach(clock: i64, watches_settings: bool) -> Result<Self, Refused> {
        let own = std::fs::read_link("/proc/self/ns/pid").ok();
        Ok(Self {
            accountant: Accountant::attach(clock, watches_settings)?,
            knows_processes: own.is_some_and(|own| own.as_os_str() == FIRST_PID_NAMESPACE),
            cgroups: HashMap::new(),
            lost_before: 0,
        })
    }

    /// Whether this kernel took `part`.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.accountant.has(part)
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

    /// Takes in what happened since this was asked last; how many connections that was of.
    pub(super) fn collect(&mut self, all: bool, host: &mut LiveHost, events: &mut Latest) -> io::Result<u64> {
        let mut told: Vec<Told> = Vec::new();
        // What ended before is older than what the iterator tells of. Events come last: asking makes those that wait to be told.
        self.accountant.ends(|connection| told.push(connection));
        self.accountant.tell(all, |connection| told.push(connection))?;
        let mut happened = Vec::new();
        self.accountant.events(|event| happened.push(event));
        // Each processor writes its own, and what was gathered is told late.
        happened.sort_by_key(|event| event.time);
        for mut event in happened {
            event.process = event.process.and_then(|process| self.process(process));
            events.push(event);
        }
        let count = told.len() as u64;
        for Told { sample, account, process } in told {
            let process = process.and_then(|process| self.process(process));
            host.account(sample, account, process);
        }
        Ok(count)
    }

    /// Whether the kernel still tells, with the rights of this thread.
    pub(crate) fn try_telling(&mut self) -> bool {
        self.accountant.tell(false, |_| ()).is_ok()
    }

    fn process(&mut self, mut process: Process) -> Option<Process> {
        if !self.knows_processes {
            return None;
        }
        if self.cgroups.len() > MOST_PROCESSES {
            self.cgroups.clear();
        }
        // A process id may be given again, to a program of another name.
        let known = self.cgroups.get(&process.pid).filter(|(name, _)| *name == process.name);
        if let Some((_, cgroup)) = known {
            process.cgroup.clone_from(cgroup);
        } else {
            process.cgroup = tcpwhy_live::cgroup_of(process.pid);
            self.cgroups.insert(process.pid, (process.name.clone(), process.cgroup.clone()));
        }
        Some(process)
    }
}
