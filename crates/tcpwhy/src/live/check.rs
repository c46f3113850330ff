//! `tcpwhy live --check`: what works here, by trying it.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};

use anyhow::{Result, bail};
use tcpwhy_bpf::{Accountant, Part, Refused};
use tcpwhy_live::{Namespace, Processes};
use tcpwhy_report::live::{Line, Piece, Tone, to_text};
use tcpwhy_report::text::Look;
use tcpwhy_report::{Args, Wording};

use crate::exit::ExitStatus;
use crate::standard_output::stdout;

/// Exit status when sockets cannot be read at all.
const EXIT_NOT_HERE: u8 = 2;

/// Tries everything and says what came of it.
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
    let mut processes = Processes::default();
    processes.read();
    tell(processes.could_see_all(), words.word("live-check-processes"), Some(words.word("live-check-need-root")));
    let could_enter_all = Namespace::others(|_| false).could_enter_all;
    tell(could_enter_all, words.word("live-check-namespaces"), Some(words.word("live-check-need-admin")));
    let accountant = Accountant::attach(0, true);
    let need = accountant.as_ref().err().map(|refused| {
        let args = Args::new().text("text", refused.to_string());
        match refused {
            Refused::NoRight(_) => words.word("live-check-need-bpf"),
            Refused::NoBtf(_) => words.word("live-check-need-btf"),
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

/// A connection of this process to itself, as the kernel tells of it.
struct Own {
    _ends: (TcpStream, TcpListener),
    inode: u64,
    /// Fields of `tcp_info` that the kernel gives.
    fields: usize,
    /// Clocks and the peer's window are among them.
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
        let Some((inode, fields, has_clocks)) = found else { bail!("its own connection is not among the sockets") };
        Ok(Self { _ends: (client, listener), inode, fields, has_clocks })
    }
}
