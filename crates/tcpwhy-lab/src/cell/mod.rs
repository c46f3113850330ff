//! The process tree in which a run happens, so that nothing outlives it.
//!
//! ```text
//! tcpwhy lab run …            supervisor: reads progress and result, keeps the deadline
//! └─ tcpwhy lab cell          outer: has made namespaces (user where not root, mount, PID, network) and waits
//!    └─ init of the PID namespace: reaps, mounts /proc and the scratch directory
//!       └─ worker: the run, with all that it starts
//! ```
//!
//! Outer and init drop their privileges when their child exists, and the worker drops its own with
//! [`Cell::seal`].
//!
//! Each of the first three dies with the one before it (`PR_SET_PDEATHSIG`). When init dies, the kernel kills
//! all processes in the PID namespace. So `kill -9` of any of them ends all. Network namespaces, devices,
//! mounts and the scratch directory end with their last user.

mod inside;
mod isolation;
mod seal;
mod supervisor;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use inside::{Cell, main};
pub use supervisor::Supervisor;

/// Message of the supervisor, one line.
#[derive(Debug, Serialize, Deserialize)]
struct Order<J> {
    /// PID of the supervisor. If it is no longer the parent, it died before this process could set its
    /// parent-death signal.
    supervisor: i32,
    job: J,
}

/// Limit for a line of the worker, bytes: progress, a result or an error. A longer one is not a valid line.
const LONGEST_LINE: usize = 1 << 20;

/// Messages of the worker, one per line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Progress(Value),
    Done(Value),
    Failed(String),
}
