//! `buffers`: what a socket buffer or a window allows.

use serde::Deserialize;
use tcpwhy_report::assistant::{BuffersAnswer, MOST_BYTES, fit};

use super::super::shared::Shared;
use crate::args::{Cli, Command};
use crate::buffers::{self, Settings};
use crate::command_line::command_of;
use crate::wrong::Result;

/// Values in the format of the command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct BuffersCall {
    sndbuf: Option<String>,
    rcvbuf: Option<String>,
    window: Option<String>,
    rtt: Option<String>,
    bandwidth: Option<String>,
    bytes: Option<String>,
    kernel: Option<String>,
    #[serde(default)]
    sysctl: Vec<String>,
}

pub(super) fn answer(shared: &Shared, call: BuffersCall) -> Result<String> {
    let options = [
        ("sndbuf", call.sndbuf),
        ("rcvbuf", call.rcvbuf),
        ("window", call.window),
        ("rtt", call.rtt),
        ("bandwidth", call.bandwidth),
        ("bytes", call.bytes),
        ("kernel", call.kernel),
    ];
    let options = options.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value?)));
    let sysctls = call.sysctl.into_iter().map(|assignment| format!("--sysctl={assignment}"));
    let words = ["tcpwhy", "buffers"].map(String::from).into_iter().chain(options).chain(sysctls);
    let Some(Command::Buffers(args)) = command_of::<Cli>(words)?.command else { return Ok(String::new()) };
    let settings = Settings::gather(&args)?;
    let buffers = buffers::answer(&args, &settings);
    Ok(fit(BuffersAnswer::new(shared.wording(), &buffers), MOST_BYTES))
}
