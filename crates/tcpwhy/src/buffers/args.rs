//! `tcpwhy buffers` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tcpwhy_kernel::OperatingSystem;

use crate::look_args::LookArgs;
use crate::overwrite_args::OverwriteArgs;
use crate::size::{Bandwidth, BufferSize, RoundTrip, Size};

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy buffers                                      what autotuned connections of this host get
  tcpwhy buffers --sndbuf 256KiB --rtt 20ms --bandwidth 100mbit
  tcpwhy buffers --rcvbuf 4MiB --when after-connect --rtt 26ms --why
  tcpwhy buffers --rcvbuf 128KiB --kernel 6.5         the defaults of another kernel
  tcpwhy buffers --sysctl-file saved.txt --sysctl net.core.wmem_max=16777216 --sndbuf max
  tcpwhy buffers --sndbuf 64KiB --rtt 10ms --bandwidth 1gbit --svg rate.svg

Sizes: 16k is 16,000 bytes, as sizes are printed; 16KiB is 16,384 (iperf3 and tc read 16k so).
max is the largest number; -1 is how programs write it.";

/// Arguments of `tcpwhy buffers`.
#[derive(Debug, Args)]
pub(crate) struct BuffersArgs {
    /// SO_SNDBUF that the application sets (16k, 4MiB, max, -1) [default: none, autotuning]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Options set")]
    pub(crate) sndbuf: Option<BufferSize>,

    /// SO_RCVBUF that the application sets [default: none, autotuning]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Options set")]
    pub(crate) rcvbuf: Option<BufferSize>,

    /// When it is set
    #[arg(long, value_name = "WHEN", default_value = "before-connect", help_heading = "Options set")]
    pub(crate) when: WhenChoice,

    /// Set with SO_SNDBUFFORCE and SO_RCVBUFFORCE (CAP_NET_ADMIN)
    #[arg(long, help_heading = "Options set")]
    pub(crate) force: bool,

    /// TCP_WINDOW_CLAMP, set before connect() or on the listening socket
    #[arg(long, value_name = "SIZE", help_heading = "Options set")]
    pub(crate) window_clamp: Option<Size>,

    /// TCP_NOTSENT_LOWAT [default: net.ipv4.tcp_notsent_lowat]
    #[arg(long, value_name = "SIZE", help_heading = "Options set")]
    pub(crate) notsent_lowat: Option<Size>,

    /// Bytes per write
    #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = a_write, help_heading = "Options set")]
    pub(crate) write_size: BufferSize,

    /// TCP_NODELAY is set
    #[arg(long, help_heading = "Options set")]
    pub(crate) nodelay: bool,

    /// The application polls before every write
    #[arg(long, help_heading = "Options set")]
    pub(crate) poll: bool,

    /// Round-trip time of the path (20ms, 350us, 0.2s)
    #[arg(long, value_name = "TIME", help_heading = "Path")]
    pub(crate) rtt: Option<RoundTrip>,

    /// Bandwidth of the path (100mbit, 1gbit, 12.5MB/s)
    #[arg(long, value_name = "RATE", requires = "rtt", help_heading = "Path")]
    pub(crate) bandwidth: Option<Bandwidth>,

    /// MTU of the link in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(68..=65_536), help_heading = "Path")]
    pub(crate) mtu: u32,

    /// IPv6: segments carry 20 bytes less
    #[arg(long, help_heading = "Path")]
    pub(crate) ipv6: bool,

    /// What delivers segments: a network interface, or veth and loopback
    #[arg(long, value_name = "KIND", default_value = "nic", help_heading = "Path")]
    pub(crate) device: DeviceChoice,

    /// Kernel, 3.10 or later (6.18, 5.15.0-91-generic), or windows-server-2022, macos, freebsd [default: the running one]
    #[arg(long, value_name = "VERSION", help_heading = "Host")]
    pub(crate) kernel: Option<OperatingSystem>,

    /// Settings from a saved `sysctl -a` instead of this host
    #[arg(long, value_name = "FILE", help_heading = "Host")]
    pub(crate) sysctl_file: Option<PathBuf>,

    /// One setting instead of the others' value; repeatable
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Host")]
    pub(crate) sysctl: Vec<String>,

    /// Memory that an skb takes besides its payload, if you measured it [default: by kernel version]
    #[arg(long, value_name = "BYTES", help_heading = "Host")]
    pub(crate) skb_overhead: Option<Size>,

    /// Every step with its rule and source
    #[arg(long, help_heading = "Output")]
    pub(crate) why: bool,

    /// One JSON document (see `tcpwhy schema buffers`)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write the charts as a picture too
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) look: LookArgs,

    /// Only the first three lines; no warnings
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// `--write-size`: a write of nothing sends nothing.
fn a_write(text: &str) -> Result<BufferSize, String> {
    let size: BufferSize = text.parse()?;
    if size.0 > 0 { Ok(size) } else { Err("a write has at least 1 byte".to_owned()) }
}

/// `--when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenChoice {
    /// On the connecting socket, before connect()
    BeforeConnect,
    /// On the listening socket; accepted sockets inherit it
    OnListener,
    /// After connect() or right after accept(), before any data
    AfterConnect,
    /// While data flows
    AfterData,
}

/// `--device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceChoice {
    /// A network interface
    Nic,
    /// veth or loopback, with offloads
    #[value(alias = "veth", alias = "loopback", alias = "lo")]
    Local,
    /// veth with offloads off
    LocalSingle,
}
