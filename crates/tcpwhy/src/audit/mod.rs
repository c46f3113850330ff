//! `tcpwhy audit`: a host, live or saved, is read, judged and shown.

mod args;

use crate::exit::ExitStatus;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _, stdout};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use tcpwhy_analysis::host::{HostFacts, PathSpec, audit};
use tcpwhy_kernel::Sysctls;
use tcpwhy_lab::rights::{self, Right};
use tcpwhy_live::{LiveError, SavedHost};
use tcpwhy_model::host::{Gap, HostObservation};
use tcpwhy_report::dto::{AuditDocument, Presentation};
use tcpwhy_report::text::AuditPage;
use tcpwhy_report::{Anonymizer, Args, Catalogue, Wording};

pub(crate) use args::{AuditArgs, EXAMPLES};

use crate::explain::anonymizer;

/// Exit status when a finding is at or over `--fail-on`.
const EXIT_GATE: u8 = 1;
/// Shorter intervals measure nothing.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);

/// Looks at the host that `args` names.
pub(crate) fn run(args: &AuditArgs) -> Result<ExitStatus> {
    let is_live = args.saved.is_none() && args.sysctl_file.is_none();
    // Whose sockets they are stands in other users' processes; what was saved needs but to be found.
    keep_only(if is_live { &[Right::OtherProcesses, Right::AnyFile] } else { &[Right::AnyFile] })?;
    let catalogue = Catalogue::new(args.look.language());
    let wording = Wording::new(&catalogue);
    let mut host = read(args)?;
    // What is left is to write, wherever root was told to, and to say what was found.
    keep_only(&[Right::AnyFile])?;
    if let Some(anonymizer) = anonymizer(args.anonymize, args.anonymize_key.as_deref())? {
        anonymize(&mut host.observation, &anonymizer);
    }
    if let Some(folder) = &args.save {
        save(&host, folder, wording, args.quiet)?;
    }
    let (sysctls, warnings) = settings(args, &host)?;
    keep_only(&[])?;
    if !args.quiet {
        for text in warnings {
            let args = Args::new().text("source", "sysctl").text("text", text);
            // A warning that cannot be written is not worth failing for.
            let _ = writeln!(io::stderr(), "{}", catalogue.text("audit-warning-sysctl", &args));
        }
    }
    let paths: Vec<PathSpec> = args.path.iter().map(|p| p.0).collect();
    let release = host.observation.kernel_release.as_deref();
    let version = args.kernel.or_else(|| release.and_then(|r| r.parse().ok()));
    if !sysctls.is_empty() {
        host.observation.gaps.retain(|&gap| gap != Gap::Sysctls);
    }
    if version.is_some() {
        host.observation.gaps.retain(|&gap| gap != Gap::Kernel);
    }
    let facts = HostFacts { host: &host.observation, sysctls: &sysctls, version, paths: &paths };
    let report = audit(&facts);
    let source = args.saved.as_ref().or(args.sysctl_file.as_ref()).map(|p| p.display().to_string());
    let mut out = stdout().lock();
    if args.json {
        let presentation = Presentation { wording, with_timeline: false };
        let document = AuditDocument::new(source.as_deref(), &facts, &report, presentation);
        if stdout().is_terminal() {
            serde_json::to_writer_pretty(&mut out, &document)?;
        } else {
            serde_json::to_writer(&mut out, &document)?;
        }
        writeln!(out)?;
    } else {
        let page = AuditPage {
            wording,
            look: args.look.look(),
            source: source.as_deref(),
            facts,
            report: &report,
            top: args.top,
            is_brief: args.quiet,
        };
        write!(out, "{page}")?;
    }
    out.flush()?;
    let is_hit = report.findings.iter().any(|f| args.fail_on.iter().any(|gate| gate.is_hit_by(f)));
    Ok(if is_hit { ExitStatus::from(EXIT_GATE) } else { ExitStatus::SUCCESS })
}

/// Gives up all rights but these, for good.
fn keep_only(rights: &[Right]) -> Result<()> {
    rights::keep_only(rights).context("giving up rights")
}

/// The saved host, the file of settings alone, or this host.
fn read(args: &AuditArgs) -> Result<SavedHost> {
    if let Some(path) = args.saved.as_ref().or(args.sysctl_file.as_ref()) {
        return Ok(SavedHost::read(path)?);
    }
    let mut observation = tcpwhy_live::observe()?;
    if let Some(interval) = &args.interval {
        let interval = Duration::from_secs_f64(interval.0);
        if interval < LEAST_INTERVAL {
            bail!("--interval must be at least 10ms");
        }
        thread::sleep(interval);
        let later = tcpwhy_live::observe()?;
        if let (Some(before), Some(after)) = (&observation.counters, &later.counters) {
            // By the uptimes, which tell how long it really was.
            let seconds = later.uptime.zip(observation.uptime).map(|(b, a)| b - a).filter(|&s| s > 0.0);
            let recent = (after.since(before), seconds.unwrap_or(interval.as_secs_f64()));
            observation = HostObservation { recent: Some(recent), ..later };
        }
    }
    let sysctls = match tcpwhy_live::sysctl_text() {
        Ok(text) => Some(text),
        Err(LiveError::Unsupported) => return Err(LiveError::Unsupported.into()),
        Err(_) => {
            observation.gaps.push(Gap::Sysctls);
            None
        }
    };
    Ok(SavedHost { observation, sysctls, files: Vec::new() })
}

/// The host's settings, those of `--sysctl-file` in their place, those of `--sysctl` over them; and what could not be read.
fn settings(args: &AuditArgs, host: &SavedHost) -> Result<(Sysctls, Vec<String>)> {
    let text = match &args.sysctl_file {
        Some(path) => {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        None => host.sysctls.clone(),
    };
    let (mut sysctls, errors) = text.map_or_else(Default::default, |text| Sysctls::parse(&text));
    for assignment in &args.sysctl {
        sysctls.assign(assignment).map_err(|e| anyhow!("--sysctl: {e}"))?;
    }
    Ok((sysctls, errors.iter().map(ToString::to_string).collect()))
}

fn save(host: &SavedHost, folder: &std::path::Path, wording: Wording<'_>, is_quiet: bool) -> Result<()> {
    let files = host.write(folder)?;
    if !is_quiet {
        let args = Args::new().number("count", files.len() as u64).text("folder", folder.display().to_string());
        let _ = writeln!(io::stderr(), "{}", wording.catalogue().text("audit-saved", &args));
    }
    Ok(())
}

/// Loopback and wildcards tell nothing of anybody, and stay.
fn anonymize(host: &mut HostObservation, anonymizer: &Anonymizer) {
    for socket in host.sockets.iter_mut().flatten() {
        for end in [&mut socket.local, &mut socket.peer] {
            if let Some(address) = end.address
                && !address.to_canonical().is_loopback()
                && !address.is_unspecified()
            {
                end.address = Some(anonymizer.address(address));
            }
        }
        // Control groups and marks may carry names of customers.
        socket.other.clear();
    }
}
