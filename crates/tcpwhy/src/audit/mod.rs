//! `tcpwhy audit`: reads a host, live or saved, checks it and prints the findings.

mod args;
mod gates;

use crate::exit::ExitStatus;
use crate::message::failure;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tcpwhy_audit::{HostFacts, PathSpec, audit};
use tcpwhy_files::{PrivateFolder, Written};
use tcpwhy_kernel::{KernelVersion, Sysctl, SysctlError, SysctlValue, Sysctls};
use tcpwhy_live::{LiveError, SavedHost, text_file};
use tcpwhy_model::Timestamp;
use tcpwhy_model::host::{Gap, HostObservation};
use tcpwhy_report::dto::{AuditDocument, AuditOrigin, Presentation};
use tcpwhy_report::text::AuditPage;
use tcpwhy_report::{Anonymizer, Args, Catalogue, Wording};

pub(crate) use args::AuditArgs;

use crate::anonymize::{name_of, named};
use crate::buffers::MOST_SETTINGS;
use crate::message;
use crate::output::file;
use crate::rights;
use crate::standard_output::stdout;
use crate::wrong::{Context as _, Result, Wrong, bail};

/// Shortest interval: a shorter one measures nothing.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);

/// Default time between the two reads of counters.
const MOMENT: Duration = Duration::from_millis(100);

/// Audits the host that `args` names.
pub(crate) fn run(args: &AuditArgs) -> Result<ExitStatus> {
    let is_live = args.saved.is_none() && args.sysctl_file.is_none();
    let catalogue = args.look.catalogue().with_code(args.code.code());
    let wording = Wording::new(&catalogue);
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let anonymizer = anonymizer.as_ref();
    let saved = args.save.as_deref().map(PrivateFolder::create).transpose()?;
    let saved = saved.map(PrivateFolder::hand_over).transpose()?;
    // A live audit needs the processes of other users, to name the sockets' owners; a saved one only reads
    // files.
    rights::confine(&if is_live {
        rights::auditing()
    } else {
        rights::reading(args.saved.iter().chain(&args.sysctl_file))
    })?;
    let mut seen = Seen::read(args, anonymizer)?;
    rights::give_up_the_rest()?;
    if let (Some(folder), Some(saved)) = (&args.save, saved) {
        save(&seen.host, folder, saved, wording, args.quiet)?;
    }
    if !args.quiet {
        if seen.host.is_cut {
            message::say(catalogue.word("audit-cut"));
        }
        for error in seen.errors.drain(..) {
            // A value that is not a number may contain a name.
            let text = if anonymizer.is_some() { error.without_value().to_string() } else { error.to_string() };
            let args = Args::new().text("source", "sysctl").text("text", text);
            message::line(&catalogue.text("audit-warning-sysctl", &args));
        }
    }
    seen.close_gaps();
    let facts = seen.facts();
    let report = audit(&facts);
    let source = args.saved.as_ref().or(args.sysctl_file.as_ref()).map(|p| name_of(p, anonymizer));
    let mut out = stdout();
    if args.json {
        let presentation = Presentation::new(wording);
        let origin = AuditOrigin { name: seen.name.as_deref(), source: source.as_deref(), time: now() };
        let document = AuditDocument::new(origin, &facts, &report, presentation);
        out.write_json(&document)?;
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
    Ok(gates::conclude(&args.fail_on, &report.findings, &facts, wording).exit_status(false))
}

/// A host that was read, with the data about it from the command line.
pub(crate) struct Seen {
    host: SavedHost,
    sysctls: Sysctls,
    /// Settings that could not be read.
    errors: Vec<SysctlError>,
    name: Option<String>,
    version: Option<KernelVersion>,
    paths: Vec<PathSpec>,
}

impl Seen {
    /// Reads the host of `args`; `anonymizer` replaces all names in it.
    pub(crate) fn read(args: &AuditArgs, anonymizer: Option<&Anonymizer>) -> Result<Self> {
        let is_live = args.saved.is_none() && args.sysctl_file.is_none();
        let mut host = read(args).map_err(|error| with_name(error, anonymizer))?;
        let (mut sysctls, errors) = settings(args, &host).map_err(|error| with_name(error, anonymizer))?;
        if let Some(anonymizer) = anonymizer {
            hide_names(&mut sysctls, anonymizer);
        }
        let name = host_name(&host, is_live).map(|name| anonymizer.map_or_else(|| name.clone(), |a| a.host(&name)));
        if let Some(anonymizer) = anonymizer {
            anonymize(&mut host, anonymizer);
        }
        let release = host.observation.kernel_release.as_deref();
        let version = args.kernel.or_else(|| release.and_then(|r| r.parse().ok()));
        let paths = args.path.iter().map(|p| p.0).collect();
        Ok(Self { host, sysctls, errors, name, version, paths })
    }

    /// Updates the gaps: data from the command line is no longer missing, and unread excess is.
    pub(crate) fn close_gaps(&mut self) {
        let gaps = &mut self.host.observation.gaps;
        if !self.sysctls.is_empty() {
            gaps.retain(|&gap| gap != Gap::Sysctls);
        }
        if self.version.is_some() {
            gaps.retain(|&gap| gap != Gap::Kernel);
        }
        if self.host.is_cut {
            gaps.push(Gap::Rest);
        }
    }

    /// Messages about unreadable parts of the host's files.
    pub(crate) fn damage(&self, catalogue: &Catalogue) -> Vec<String> {
        let cut = self.host.is_cut.then(|| catalogue.word("audit-cut"));
        let errors = self.errors.iter().map(|error| error.clone().without_value().to_string());
        cut.into_iter().chain(errors).collect()
    }

    /// The data to check.
    pub(crate) fn facts(&self) -> HostFacts<'_> {
        HostFacts { host: &self.host.observation, sysctls: &self.sysctls, version: self.version, paths: &self.paths }
    }
}

/// The name of this host, or of the saved one if its settings contain it.
fn host_name(host: &SavedHost, is_live: bool) -> Option<String> {
    if is_live {
        return own_name().filter(|name| !name.is_empty());
    }
    host.host_name()
}

#[cfg(unix)]
fn own_name() -> Option<String> {
    rustix::system::uname().nodename().to_str().ok().map(str::to_owned)
}

/// A live audit exists only on Linux.
#[cfg(not(unix))]
fn own_name() -> Option<String> {
    None
}

/// The present time of this machine's clock.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_nanos(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Reads the saved host, the file of settings alone, or this host.
fn read(args: &AuditArgs) -> Result<SavedHost> {
    if let Some(path) = args.saved.as_ref().or(args.sysctl_file.as_ref()) {
        return Ok(SavedHost::read(path)?);
    }
    let (begin, before) = (Instant::now(), tcpwhy_live::counters());
    let mut observation = tcpwhy_live::observe()?;
    if args.interval.is_none() {
        // A second read after a short time shows present rates, besides the totals since boot.
        thread::sleep(MOMENT.saturating_sub(begin.elapsed()));
        let after = tcpwhy_live::counters();
        observation.recent =
            before.zip(after).map(|(before, after)| (after.since(&before), begin.elapsed().as_secs_f64()));
    }
    if let Some(interval) = &args.interval {
        let interval = Duration::from_secs_f64(interval.0);
        if interval < LEAST_INTERVAL {
            bail!(failure("interval-too-short"));
        }
        thread::sleep(interval);
        let later = tcpwhy_live::observe()?;
        if let (Some(before), Some(after)) = (&observation.counters, &later.counters) {
            // The uptimes show the real length of the interval.
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
    Ok(SavedHost { observation, sysctls, ..SavedHost::default() })
}

/// `error` with its names replaced.
fn with_name(error: Wrong, anonymizer: Option<&Anonymizer>) -> Wrong {
    error.downcast::<LiveError>().map_or_else(|other| other, |error| named(error, anonymizer).into())
}

/// The host's settings, or those of `--sysctl-file` instead, overridden by `--sysctl`; and the errors.
fn settings(args: &AuditArgs, host: &SavedHost) -> Result<(Sysctls, Vec<SysctlError>)> {
    let text = match &args.sysctl_file {
        Some(path) if args.saved.is_some() => Some(text_file::read_text(path, MOST_SETTINGS)?),
        // Without a saved host, the file was already read as the host, and a pipe cannot be read twice.
        _ => host.sysctls.clone(),
    };
    let (mut sysctls, errors) = text.map_or_else(Default::default, |text| Sysctls::parse(&text));
    for assignment in &args.sysctl {
        sysctls.assign(assignment).context("--sysctl")?;
    }
    Ok((sysctls, errors))
}

/// Saves the host into a new folder that only this user can read, because addresses and processes are
/// private.
fn save(host: &SavedHost, folder: &Path, mut saved: PrivateFolder, wording: Wording<'_>, is_quiet: bool) -> Result<()> {
    let texts = host.texts();
    let mut written = Written::default();
    for (name, text) in &texts {
        saved.add(name, text.as_bytes())?;
        written += Written { files: 1, bytes: text.len() as u64 };
    }
    saved.keep()?;
    if !is_quiet {
        file::say_written(wording, folder, written);
    }
    Ok(())
}

/// Anonymizes an address; loopback and wildcard addresses identify nobody and stay.
fn hide(address: &mut Option<IpAddr>, anonymizer: &Anonymizer) {
    if let Some(known) = *address
        && !known.to_canonical().is_loopback()
        && !known.is_unspecified()
    {
        *address = Some(anonymizer.address(known));
    }
}

/// Replaces settings that are names, except names of the mainline kernel.
fn hide_names(sysctls: &mut Sysctls, anonymizer: &Anonymizer) {
    let named: Vec<(Sysctl, String)> = sysctls
        .iter()
        .filter_map(|(sysctl, value)| match value {
            SysctlValue::Words(words) => Some((sysctl, words.clone())),
            SysctlValue::Number(_) | SysctlValue::Triple(_) => None,
        })
        .collect();
    for (sysctl, words) in named {
        let hidden = |word: &str| match sysctl {
            Sysctl::DefaultQdisc => anonymizer.qdisc(word),
            Sysctl::IpLocalPortRange if word.bytes().all(|byte| byte.is_ascii_digit()) => word.to_owned(),
            _ => anonymizer.congestion_control(word),
        };
        let words: Vec<_> = words.split_whitespace().map(hidden).collect();
        sysctls.set(sysctl, SysctlValue::Words(words.join(" ")));
    }
}

/// Removes all data that identifies the host.
fn anonymize(host: &mut SavedHost, anonymizer: &Anonymizer) {
    // Settings contain host and domain names, keys and interfaces, so only those that the audit knows stay.
    let release: Option<KernelVersion> = host.observation.kernel_release.take().and_then(|text| text.parse().ok());
    host.sysctls = host.sysctls.take().map(|text| {
        let mut known = Sysctls::parse(&text).0;
        hide_names(&mut known, anonymizer);
        known.to_string()
    });
    let host = &mut host.observation;
    // Builders of kernels append names to the version.
    host.kernel_release = release.map(|version| version.to_string());
    for socket in host.sockets.iter_mut().flatten() {
        for end in [&mut socket.local, &mut socket.peer] {
            hide(&mut end.address, anonymizer);
            end.zone = end.zone.take().map(|zone| anonymizer.interface(&zone));
        }
        socket.congestion_control = socket.congestion_control.take().map(|name| anonymizer.congestion_control(&name));
        for process in &mut socket.processes {
            process.name = anonymizer.process(&process.name);
        }
        // Control groups and marks may contain names of customers.
        socket.other.clear();
    }
    for bond in host.bonds.iter_mut().flatten() {
        bond.name = anonymizer.interface(&bond.name);
    }
    for used in &mut host.time_wait {
        for address in [&mut used.local, &mut used.peer.address] {
            hide(address, anonymizer);
        }
        used.peer.zone = None;
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketSample;
    use tcpwhy_report::KEY_LEN;

    use super::*;

    /// Checks the texts that `--save` writes.
    #[test]
    fn what_is_saved_has_mainline_names_alone() {
        let socket = |name: &str| SocketSample { congestion_control: Some(name.to_owned()), ..SocketSample::default() };
        let settings = "net.core.default_qdisc = acme_fq\nnet.ipv4.tcp_allowed_congestion_control = reno acme_cc\n\
                        net.ipv4.ip_local_port_range = 32768 60999\n";
        let mut host = SavedHost {
            observation: HostObservation {
                sockets: Some(vec![socket("acme_cc"), socket("cubic")]),
                ..HostObservation::default()
            },
            sysctls: Some(settings.to_owned()),
            ..SavedHost::default()
        };
        anonymize(&mut host, &Anonymizer::new([7; KEY_LEN]));
        let saved: String = host.texts().into_iter().map(|(_, text)| text).collect();
        assert!(!saved.contains("acme"), "{saved}");
        for kept in ["cubic", " cc-", "= reno cc-", "= qdisc-", "32768 60999"] {
            assert!(saved.contains(kept), "{kept} in {saved}");
        }
    }
}
