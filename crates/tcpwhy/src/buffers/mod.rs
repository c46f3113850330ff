//! `tcpwhy buffers`: computes buffers and windows from the arguments and the host's settings.

mod args;
mod settings;

use crate::exit::ExitStatus;
use std::io::Write as _;

use tcpwhy_kernel::{
    AutotuningLevel, BufferKind, BufferRequest, Device, Link, Question, Sysctl, When, WriteMode, Writer, Writing,
};
use tcpwhy_report::buffers::{Buffers, svg};
use tcpwhy_report::markup::MARK;
use tcpwhy_report::text::{BuffersDetail, buffers_page};
use tcpwhy_report::{Wording, dto};

pub(crate) use args::BuffersArgs;

use self::args::{DeviceChoice, LevelChoice, WhenChoice};
pub(crate) use self::settings::MOST_SETTINGS;
pub(crate) use self::settings::Settings;
use crate::message;
use crate::output::file::{self, Output};
use crate::size::BufferSize;
use crate::standard_output::stdout;
use crate::wrong::Result;

/// Prints the answer to `args`.
pub(crate) fn run(args: &BuffersArgs) -> Result<ExitStatus> {
    let output = match &args.svg {
        Some(path) => {
            let inputs = file::read_from(&args.sysctl_file);
            Some((path, Output::prepare(path, &file::policy(inputs, args.overwrite.overwrite, &[MARK]))?))
        }
        None => None,
    };
    let settings = Settings::gather(args)?;
    if !args.quiet {
        for warning in &settings.warnings {
            message::say(warning);
        }
    }
    let buffers = answer(args, &settings);
    let catalogue = args.look.catalogue();
    let wording = Wording::new(&catalogue);
    if let Some((path, output)) = output
        && let Some(written) = output.write(svg(wording, &buffers).as_bytes())?
        && !args.quiet
    {
        file::say_written(wording, path, written);
    }
    let mut out = stdout();
    if args.json {
        let document = dto::BuffersDocument::new(wording, &buffers);
        out.write_json(&document)?;
    } else {
        let look = args.look.look();
        let detail = BuffersDetail { is_brief: args.quiet, with_steps: args.why };
        write!(out, "{}", buffers_page(wording, look, &buffers, detail))?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// Computes the answer with these settings.
pub(crate) fn answer<'a>(args: &BuffersArgs, settings: &'a Settings) -> Buffers<'a> {
    Buffers::new(settings.system, settings.origin.clone(), question(args, settings), kinds(args))
}

/// The buffers to explain: both, unless only one option was given.
const fn kinds(args: &BuffersArgs) -> &'static [BufferKind] {
    match (&args.sndbuf, &args.rcvbuf) {
        (Some(_), None) => &[BufferKind::Send],
        (None, Some(_)) => &[BufferKind::Receive],
        _ => &[BufferKind::Send, BufferKind::Receive],
    }
}

fn question<'a>(args: &BuffersArgs, settings: &'a Settings) -> Question<'a> {
    let request = |size: BufferSize| BufferRequest { bytes: size.0, is_forced: args.force, when: when(args.when) };
    let sysctls = &settings.sysctls;
    Question {
        version: settings.version,
        sysctls,
        sndbuf: args.sndbuf.map(request),
        rcvbuf: args.rcvbuf.map(request),
        window_clamp: args.window_clamp.map(|size| size.0),
        notsent_lowat: args.notsent_lowat.map(|size| size.0),
        link: Link {
            is_ipv6: args.ipv6,
            has_timestamps: sysctls.number(Sysctl::TcpTimestamps) != Some(0),
            skb_overhead: args.skb_overhead.map(|size| size.0),
            ..Link::new(args.mtu, device(args.device))
        },
        writer: writer(args),
        is_bbr: settings.system.linux().is_some()
            && sysctls.words(Sysctl::TcpCongestionControl).is_some_and(|name| name.starts_with("bbr")),
        round_trip_seconds: args.rtt.map(|rtt| rtt.0),
        bandwidth: args.bandwidth.map(|bandwidth| bandwidth.0),
        transfer_bytes: args.bytes.map(|size| size.0),
        window: args.window.map(|size| size.0),
        autotuning_level: level(args.autotuning_level),
    }
}

/// The sender's writes as given; a bulk transfer by default.
fn writer(args: &BuffersArgs) -> Writer {
    if args.write_size.is_none() && !args.poll {
        return if args.nodelay { Writer::AnyWithNodelay } else { Writer::Any };
    }
    Writer::Given(Writing {
        bytes: args.write_size.map_or(Writing::BULK.bytes, |size| u64::from(size.0.unsigned_abs())),
        has_nodelay: args.nodelay,
        mode: if args.poll { WriteMode::Polling } else { WriteMode::Blocking },
    })
}

const fn level(choice: LevelChoice) -> AutotuningLevel {
    match choice {
        LevelChoice::Disabled => AutotuningLevel::Disabled,
        LevelChoice::HighlyRestricted => AutotuningLevel::HighlyRestricted,
        LevelChoice::Restricted => AutotuningLevel::Restricted,
        LevelChoice::Normal => AutotuningLevel::Normal,
        LevelChoice::Experimental => AutotuningLevel::Experimental,
    }
}

const fn when(choice: WhenChoice) -> When {
    match choice {
        WhenChoice::BeforeConnect => When::BeforeConnect,
        WhenChoice::OnListener => When::OnListener,
        WhenChoice::AfterConnect => When::AfterConnect,
        WhenChoice::AfterData => When::AfterData,
    }
}

const fn device(choice: DeviceChoice) -> Device {
    match choice {
        DeviceChoice::Nic => Device::Nic,
        DeviceChoice::Local => Device::Local,
        DeviceChoice::LocalSingle => Device::LocalSingle,
    }
}
