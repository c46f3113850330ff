//! `tcpwhy mcp`: a server of the Model Context Protocol on standard input and output.
//!
//! It opens the folders and, if permitted, starts the process that watches this host. Then it gives up all
//! other privileges and serves. Captures are parsed in this confined process, which opens no connection and
//! writes no file.

mod args;
mod bounds;
mod calls;
mod check;
mod contents;
mod first;
mod folders;
#[cfg(target_os = "linux")]
mod host;
#[cfg(not(target_os = "linux"))]
#[path = "host_elsewhere.rs"]
mod host;
mod host_calls;
mod kept;
mod packets;
mod parameter;
mod server;
mod shared;
mod tools;
mod wire;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use tcpwhy_report::{Catalogue, Code};

pub(crate) use self::args::McpArgs;
use self::folders::Folders;
use self::host::HostProcess;
use self::kept::Kept;
use self::shared::Shared;
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::rights;
use crate::standard_output::check_open;
use crate::wrong::{Result, bail};

/// The settings of this host's network and its kernel version, which `buffers` uses by default.
const SETTINGS: [&str; 2] = ["/proc/sys/net", "/proc/sys/kernel/osrelease"];

/// Serves, or prints the report of `--check`.
pub(crate) fn run(args: &McpArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.words.language()).with_code(Code::Suggested);
    let anonymizer = args.anonymize.anonymizer(&catalogue, false)?;
    let folders = Folders::open(&args.folders, args.most_bytes())?;
    if args.allow_live && !HostProcess::IS_POSSIBLE {
        bail!(failure("live-elsewhere"));
    }
    check_open()?;
    // Before this process gives up its rights, and while it has one thread.
    let host = args.allow_live.then(|| HostProcess::start(&catalogue, anonymizer.as_ref())).transpose()?;
    let readable: Vec<PathBuf> = folders.paths().cloned().chain(SETTINGS.map(PathBuf::from)).collect();
    let confined = rights::confine_and_tell(&rights::reading(&readable))?;
    let shared =
        Arc::new(Shared { folders, catalogue, anonymizer, host, timeout: args.timeout(), kept: Kept::default() });
    if args.check {
        return check::run(&shared, &args.folders, confined);
    }
    server::serve(shared)?;
    Ok(ExitStatus::SUCCESS)
}
