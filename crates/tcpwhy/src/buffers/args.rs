//! Command-line arguments of `tcpwhy buffers`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tcpwhy_kernel::OperatingSystem;

use crate::look_args::LookArgs;
use crate::message::{Failure, failure};
use crate::number::within;
use crate::overwrite_args::OverwriteArgs;
use crate::size::{Bandwidth, BufferSize, RoundTrip, Size};
use crate::value;

/// Arguments of `tcpwhy buffers`.
#[derive(Debug, Args)]
pub(crate) struct BuffersArgs {
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "options-set")]
    pub(crate) sndbuf: Option<BufferSize>,

    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "options-set")]
    pub(crate) rcvbuf: Option<BufferSize>,

    #[arg(long, value_name = "WHEN", default_value = "before-connect", help_heading = "options-set")]
    pub(crate) when: WhenChoice,

    #[arg(long, help_heading = "options-set")]
    pub(crate) force: bool,

    #[arg(long, value_name = "SIZE", help_heading = "options-set")]
    pub(crate) window_clamp: Option<Size>,

    #[arg(long, value_name = "SIZE", help_heading = "options-set")]
    pub(crate) notsent_lowat: Option<Size>,

    #[arg(long, value_name = "SIZE", value_parser = a_write, help_heading = "options-set")]
    pub(crate) write_size: Option<BufferSize>,

    #[arg(long, value_name = "SIZE", conflicts_with_all = ["sndbuf", "rcvbuf"], help_heading = "options-set")]
    pub(crate) window: Option<Size>,

    #[arg(long, help_heading = "options-set")]
    pub(crate) nodelay: bool,

    #[arg(long, help_heading = "options-set")]
    pub(crate) poll: bool,

    #[arg(long, value_name = "TIME", help_heading = "path")]
    pub(crate) rtt: Option<RoundTrip>,

    #[arg(long, value_name = "RATE", requires = "rtt", help_heading = "path")]
    pub(crate) bandwidth: Option<Bandwidth>,

    #[arg(long, value_name = "SIZE", requires = "rtt", help_heading = "path")]
    pub(crate) bytes: Option<Size>,

    #[arg(long, value_name = "BYTES", default_value_t = 1500, value_parser = within::<u32>(68..=65_536), help_heading = "path")]
    pub(crate) mtu: u32,

    #[arg(long, help_heading = "path")]
    pub(crate) ipv6: bool,

    #[arg(long, value_name = "KIND", default_value = "nic", help_heading = "path")]
    pub(crate) device: DeviceChoice,

    #[arg(long, visible_alias = "os", value_name = "VERSION", value_parser = value::read::<OperatingSystem>, help_heading = "host")]
    pub(crate) kernel: Option<OperatingSystem>,

    #[arg(long, value_name = "LEVEL", default_value = "normal", help_heading = "host")]
    pub(crate) autotuning_level: LevelChoice,

    #[arg(long, value_name = "FILE", help_heading = "host")]
    pub(crate) sysctl_file: Option<PathBuf>,

    #[arg(long, value_name = "NAME=VALUE", help_heading = "host")]
    pub(crate) sysctl: Vec<String>,

    #[arg(long, value_name = "BYTES", help_heading = "host")]
    pub(crate) skb_overhead: Option<Size>,

    #[arg(long, help_heading = "output")]
    pub(crate) why: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, value_name = "FILE", help_heading = "output")]
    pub(crate) svg: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// Parses `--write-size`, which must be positive because an empty write sends nothing.
fn a_write(text: &str) -> Result<BufferSize, Failure> {
    let size: BufferSize = text.parse()?;
    if size.0 > 0 { Ok(size) } else { Err(failure("write-of-nothing")) }
}

/// `--when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenChoice {
    BeforeConnect,
    OnListener,
    AfterConnect,
    AfterData,
}

/// `--device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceChoice {
    Nic,
    #[value(alias = "veth", alias = "loopback", alias = "lo")]
    Local,
    LocalSingle,
}

/// `--autotuning-level`, as `netsh` spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelChoice {
    Disabled,
    #[value(name = "highlyrestricted")]
    HighlyRestricted,
    Restricted,
    Normal,
    Experimental,
}
