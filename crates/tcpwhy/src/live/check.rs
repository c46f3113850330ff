//! `tcpwhy live --check`: tries each source of data and reports which ones work on this host.

use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream};

use rustix::thread::{CapabilitySet, capabilities};
use tcpwhy_bpf::{Accountant, Part, Refused};
use tcpwhy_live::{ClosedNamespace, Namespace, OtherNamespaces, Processes, WhyClosed};
use tcpwhy_model::live::Process;
use tcpwhy_report::live::{Line, Piece, Tone, to_text};
use tcpwhy_report::text::Look;
use tcpwhy_report::{Args, Wording};

use crate::exit::ExitStatus;
use crate::message::failure;
use crate::standard_output::stdout;
use crate::watching::knows_processes;
use crate::wrong::{Result, bail};

/// Exit status when sockets cannot be read at all.
const EXIT_NOT_HERE: u8 = 2;

/// Tries every source of data and prints the results.
pub(super) fn run(wording: Wording<'_>, look: Look) -> Result<ExitStatus> {
    let words = wording.catalogue();
    let mut lines: Vec<Line> = Vec::new();
    let mut tell = |is_working: bool, what: String, need: Option<String>| {
        let (word, tone) =
            if is_working { ("live-check-works", Tone::Plain) } else { ("live-check-missing", Tone::Warning) };
        let text = match need {
            Some(need) if !is_working => format!("{what}: {need}"),
            _ => what,
        };
        lines.push(vec![Piece::new(look, &format!("{}  {text}", words.word(word)), tone)]);
    };
    let own = Own::open();
    let (sockets, failure) = match &own {
        Ok(own) => (Some(own), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let failed = failure.map(|text| words.text("live-check-failed", &Args::new().text("text", text)));
    tell(sockets.is_some(), words.word("live-check-sock-diag"), failed);
    if let Some(own) = sockets {
        let has_clocks = own.has_clocks;
        let what = words.text("live-check-tcp-info", &Args::new().text("fields", own.fields.to_string()));
        let need = words.text("live-check-need-kernel", &Args::new().text("version", "5.4"));
        tell(has_clocks, what, Some(need));
        let locks = tcpwhy_live::locks_of(std::process::id(), own.inode);
        let need = words.text("live-check-need-kernel", &Args::new().text("version", "5.15"));
        tell(locks.is_some(), words.word("live-check-locks"), Some(need));
    }
    let can_see_all = Processes::can_see_all();
    tell(can_see_all, words.word("live-check-processes"), Some(words.word("live-check-need-root")));
    let own_namespace = Namespace::own().map_or(0, |own| own.inode);
    let others = Namespace::others(|inode| inode == own_namespace);
    let held = capabilities(None).map_or(CapabilitySet::empty(), |sets| sets.effective);
    tell(others.could_enter_all(), words.word("live-check-namespaces"), Some(unseen(&others, held, wording)));
    let accountant = Accountant::attach(0, true);
    let need = accountant.as_ref().err().map(|refused| {
        let args = Args::new().text("text", refused.to_string());
        match refused {
            Refused::NoRight(_) => words.word("live-check-need-bpf"),
            Refused::NoBtf(_) => words.word("live-check-need-btf"),
            Refused::Program { part, reason } => {
                // The surrounding sentence names the kernel versions that accept the program.
                let args = Args::new().text("version", part.since()).text("text", format!("{part:?}: {reason}"));
                words.text("live-check-need-accounts", &args)
            }
            _ => words.text("live-check-failed", &args),
        }
    });
    tell(accountant.is_ok(), words.word("live-check-accounts"), need);
    if let Ok(accountant) = &accountant {
        for part in Part::ALL.into_iter().filter(|part| !part.is_indispensable()) {
            let why = accountant.missing().iter().find(|(missing, _)| *missing == part).map(|(_, why)| why.clone());
            let need = why.map(|why| {
                let args = Args::new().text("version", part.since()).text("text", why);
                let id = if part == Part::Pruning { "live-check-need-function-hooks" } else { "live-check-need-hook" };
                words.text(id, &args)
            });
            tell(need.is_none(), words.word(&format!("live-check-part-{}", part.id())), need);
        }
    }
    if let Ok(accountant) = &accountant
        && (accountant.has(Part::Settings) || accountant.has(Part::WriteEnds))
    {
        let need = if !knows_processes() {
            Some(words.word("live-check-need-processes"))
        } else if !can_see_all {
            Some(words.word("live-check-need-root"))
        } else {
            None
        };
        tell(need.is_none(), words.word("live-check-code"), need);
    }
    let need = words.text("live-check-need-kernel", &Args::new().text("version", "5.13"));
    tell(tcpwhy_rights::has_landlock(), words.word("live-check-landlock"), Some(need));
    let is_here = own.is_ok();
    let verdict = match (is_here, accountant.is_ok()) {
        (true, true) => "live-check-verdict-bpf",
        (true, false) => "live-check-verdict",
        (false, _) => "live-check-verdict-not",
    };
    lines.push(vec![Piece::new(look, &words.word(verdict), Tone::Bold)]);
    write!(stdout(), "{}", to_text(&lines, look))?;
    Ok(if is_here { ExitStatus::SUCCESS } else { ExitStatus::from(EXIT_NOT_HERE) })
}

/// Namespaces that are named; the others are only counted, because any user can create very many.
const MOST_NAMED: usize = 8;

/// The network namespaces that cannot be seen with these capabilities, and the reason.
fn unseen(others: &OtherNamespaces, held: CapabilitySet, wording: Wording<'_>) -> String {
    let words = wording.catalogue();
    let whose = |process: &Process| format!("{}[{}]", process.name, process.pid);
    let mut parts: Vec<String> = Vec::new();
    for ClosedNamespace { inode, process, why } in others.closed.iter().take(MOST_NAMED) {
        let why = match why {
            WhyClosed::TooMany => words.word("live-check-namespace-too-many"),
            WhyClosed::Refused(error) if is_for_want_of(error, CapabilitySet::SYS_ADMIN, held) => {
                words.word("live-check-need-enter")
            }
            WhyClosed::Refused(error) => error.to_string(),
        };
        let args = Args::new().text("inode", inode.to_string()).text("process", whose(process)).text("why", why);
        parts.push(words.text("live-check-namespace-closed", &args));
    }
    let more = others.closed.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        parts.push(words.text("live-check-namespaces-more", &Args::new().number("count", more as u64)));
    }
    if let Some((process, error)) = &others.hidden.example {
        let why = if is_for_want_of(error, CapabilitySet::SYS_PTRACE, held) {
            words.word("live-check-need-look")
        } else {
            error.to_string()
        };
        let example = process.as_ref().map_or_else(|| "/proc".to_owned(), whose);
        let args = Args::new().number("count", others.hidden.count).text("process", example).text("why", why);
        parts.push(words.text("live-check-processes-hidden", &args));
    }
    parts.join("; ")
}

/// Whether the missing capability explains the refusal. Sandboxes and user namespaces also refuse processes
/// that have it.
fn is_for_want_of(error: &io::Error, right: CapabilitySet, held: CapabilitySet) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && !held.contains(right)
}

/// The kernel's data about a connection of this process to itself.
struct Own {
    _ends: (TcpStream, TcpListener),
    inode: u64,
    /// Fields of `tcp_info` that the kernel fills.
    fields: usize,
    /// Whether busy time and the peer's window are among them.
    has_clocks: bool,
}

impl Own {
    fn open() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").or_else(|_| TcpListener::bind("[::1]:0"))?;
        let client = TcpStream::connect(listener.local_addr()?)?;
        let port = client.local_addr()?.port();
        let mut found: Option<(u64, usize, bool)> = None;
        Namespace::own()?.sockets.dump(|socket, _| {
            if socket.local.port == Some(port) {
                let info = &socket.info;
                let has_clocks = info.busy_time.is_some() && info.snd_wnd.is_some();
                found = Some((socket.inode.unwrap_or_default(), info.known().count(), has_clocks));
            }
        })?;
        let Some((inode, fields, has_clocks)) = found else { bail!(failure("own-connection-missing")) };
        Ok(Self { _ends: (client, listener), inode, fields, has_clocks })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tcpwhy_live::HiddenProcesses;
    use tcpwhy_report::{Catalogue, Language};

    use super::*;

    fn process(name: &str, pid: u32) -> Process {
        Process { pid, name: name.to_owned(), cgroup: None }
    }

    fn told(closed: Vec<ClosedNamespace>, hidden: HiddenProcesses, held: CapabilitySet) -> String {
        let others = OtherNamespaces { entered: Vec::new(), seen: BTreeSet::new(), closed, hidden };
        assert!(!others.could_enter_all());
        let catalogue = Catalogue::new(Language::English);
        unseen(&others, held, Wording::new(&catalogue))
    }

    #[test]
    fn namespaces_that_are_not_seen_are_named_with_the_reason() {
        let nothing = CapabilitySet::empty();
        let denied = || io::Error::from_raw_os_error(1);
        let closed = |inode, why| ClosedNamespace { inode, process: process("nginx", 812), why };
        let text = told(vec![closed(4_026_532_345, WhyClosed::Refused(denied()))], HiddenProcesses::default(), nothing);
        assert_eq!(text, "4026532345 (nginx[812]) cannot be entered: needs CAP_SYS_ADMIN");
        let many = (0..10).map(|inode| closed(inode, WhyClosed::TooMany)).collect();
        let text = told(many, HiddenProcesses::default(), nothing);
        assert!(text.contains("7 (nginx[812]) exceeds") && text.ends_with("; 2 more"), "{text}");
        let hidden = HiddenProcesses { count: 3, example: Some((Some(process("sshd", 7)), denied())) };
        let text = told(Vec::new(), hidden, nothing);
        assert_eq!(text, "those of 3 processes are not known (sshd[7] for one: cannot be read: needs CAP_SYS_PTRACE)");
        // The process has the capability, so something else refuses it.
        let closed_to_root = vec![closed(5, WhyClosed::Refused(denied()))];
        let text = told(closed_to_root, HiddenProcesses::default(), CapabilitySet::SYS_ADMIN);
        assert!(text.contains("Operation not permitted") && !text.contains("CAP_SYS_ADMIN"), "{text}");
        let odd = io::Error::other("odd");
        assert!(told(vec![closed(5, WhyClosed::Refused(odd))], HiddenProcesses::default(), nothing).contains("odd"));
    }
}
