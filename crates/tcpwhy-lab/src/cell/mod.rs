//! The process tree in which a run happens, so that nothing outlives it.
//!
//! ```text
//! tcpwhy lab run …            supervisor: reads progress and result, keeps the deadline
//! └─ tcpwhy lab cell          outer: has made namespaces (user where not root, mount, PID, network) and waits
//!    └─ init of the PID namespace: reaps, mounts /proc and the scratch directory
//!       └─ worker: the run, with all that it starts
//! ```
//!
//! Outer and init have no rights once their child is there, and the worker gives its own up with [`Cell::seal`].
//!
//! Each of the first three dies with the one before it (`PR_SET_PDEATHSIG`), and with init the kernel kills whatever is left in
//! the PID namespace. So `kill -9` of any of them ends all; network namespaces, devices, mounts and the scratch directory go
//! with their last user.

mod inside;
mod isolation;
mod seal;
mod supervisor;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use inside::{Cell, main};
pub use supervisor::Supervisor;

/// What the supervisor sends, on one line.
#[derive(Debug, Serialize, Deserialize)]
struct Order<J> {
    /// The supervisor's process: if it is no longer the parent, it died before this one could take notice.
    supervisor: i32,
    job: J,
}

/// Longest line of the worker, bytes: progress, a result, an error. A longer one is no line of ours.
const LONGEST_LINE: usize = 1 << 20;

/// What the worker sends back, each on a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Progress(Value),
    Done(Value),
    Failed(String),
}
