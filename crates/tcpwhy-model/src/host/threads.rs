/// What the threads of a process were doing at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProcessThreads {
    /// Process id.
    pub pid: u32,
    /// Number of threads per state, without empty states.
    pub states: Vec<(ThreadState, u64)>,
}

/// Activity of a thread: its state in `/proc/PID/task/TID/stat`, and the system call of a sleeping thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreadState {
    /// On a CPU, or waiting for one.
    Running,
    /// Stopped by a signal or a debugger.
    Stopped,
    /// Waits uninterruptibly for a disk or another device.
    Device,
    /// In `accept`.
    Accepting,
    /// Waits for events: `epoll_wait`, `poll`, `select`.
    Polling,
    /// Waits for a lock or another thread: `futex`.
    Lock,
    /// Sleeps for a time: `nanosleep`, `clock_nanosleep`.
    Sleeping,
    /// Reads or writes.
    Transfer,
    /// Another activity, or unknown.
    Other,
}

impl ThreadState {
    /// All states.
    pub const ALL: [Self; 9] = [
        Self::Running,
        Self::Stopped,
        Self::Device,
        Self::Accepting,
        Self::Polling,
        Self::Lock,
        Self::Sleeping,
        Self::Transfer,
        Self::Other,
    ];

    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Device => "device",
            Self::Accepting => "accepting",
            Self::Polling => "polling",
            Self::Lock => "lock",
            Self::Sleeping => "sleeping",
            Self::Transfer => "transfer",
            Self::Other => "other",
        }
    }

    /// The state with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.id() == id)
    }
}
