//! A host as files: the output of `tcpwhy audit --save`, a collection of an administrator, or a `sos report`.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use tcpwhy_model::foreign::visible;
use tcpwhy_model::host::{CounterGroup, Gap, HostObservation, SocketSample, TcpState};

use crate::settings::saved_lines;
use crate::text_file::{self, Links};
use crate::{LiveError, proc_net, saved_extras, ss};

/// Deeper folders are not searched. The files that matter are at most three levels deep in a `sos report`.
const DEPTH: usize = 4;
/// Larger files, in bytes, cannot be texts of `/proc`, `sysctl` or `ss`.
const MAX_FILE: u64 = 256 << 20;
/// Limit for all texts of a host together, bytes.
const MAX_TOTAL: u64 = 512 << 20;
/// Bytes at the start of a file that suffice to recognise its format.
const HEAD: usize = 16 << 10;
/// A directory with more files is not a saved host.
const MAX_FILES: usize = 20_000;
/// Limit for directory entries of all kinds: files, folders and links.
const MAX_ENTRIES: usize = 200_000;

/// Everything found about a host.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedHost {
    /// The state of the host: sockets, counters, memory.
    pub observation: HostObservation,
    /// The host's settings in the form of `sysctl -a`; `None` if the files contain no settings.
    pub sysctls: Option<String>,
    /// The files that were used.
    pub files: Vec<PathBuf>,
    /// Whether a limit stopped the reading, so that data may be missing.
    pub is_cut: bool,
}

impl SavedHost {
    /// Reads a directory or one file. File names do not matter: the content shows the format.
    pub fn read(path: &Path) -> Result<Self, LiveError> {
        let metadata = fs::metadata(path).map_err(|e| read_error(path, e))?;
        let mut reading = Reading::default();
        if metadata.is_dir() {
            let mut tree = Tree::default();
            tree.collect(path, DEPTH)?;
            tree.files.sort();
            reading.host.is_cut = tree.is_cut;
            for file in &tree.files {
                // An unreadable file is skipped in a directory of many, but it is an error if the user named
                // it.
                if let Ok(Some(bytes)) = read_if_of_a_host(file) {
                    reading.take(file, &bytes);
                }
            }
        } else {
            reading.take(path, &text_file::read(path, MAX_FILE)?);
        }
        reading.finish().ok_or_else(|| LiveError::NothingFound { path: path.to_owned() })
    }

    /// Builds a host from the contents of files, each with its name; `None` if no file contains data of a
    /// host.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a Path, &'a [u8])>) -> Option<Self> {
        let mut reading = Reading::default();
        for (path, bytes) in files {
            reading.take(path, bytes);
        }
        reading.finish()
    }

    /// The name of the host, if its settings contain it.
    pub fn host_name(&self) -> Option<String> {
        let named = self.sysctls.as_deref()?.lines().filter_map(|line| line.split_once('='));
        let mut names =
            named.filter(|(name, _)| name.trim() == "kernel.hostname").map(|(_, value)| value.trim().to_owned());
        names.next().filter(|name| !name.is_empty())
    }

    /// Returns the files of a saved host: their names (`ss`, `nstat`, `sockstat` …) and their contents. The
    /// settings are limited to those that [may be saved](crate::is_setting_saved).
    pub fn texts(&self) -> Vec<(&'static str, String)> {
        let o = &self.observation;
        let mut texts = Vec::new();
        texts.extend(self.sysctls.as_deref().map(|text| ("sysctl", saved_lines(text))));
        texts.extend(o.sockets.as_ref().map(|sockets| {
            let heading = "State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n";
            ("ss", format!("{heading}{}", ss::write_sockets(sockets)))
        }));
        texts.extend(o.counters.as_ref().map(|counters| {
            let line = |(group, name, value): (CounterGroup, &str, u64)| format!("{}{name} {value} 0.0\n", group.id());
            ("nstat", format!("#kernel\n{}", counters.iter().map(line).collect::<String>()))
        }));
        texts.extend(o.sockstat.map(|stat| ("sockstat", sockstat_text(stat))));
        texts.extend(o.tcp_protocol.map(|p| {
            let number = |n: Option<u64>| n.map_or_else(|| "-1".to_owned(), |n| n.to_string());
            let press = p.is_under_pressure.map_or("NI", |is| if is { "yes" } else { "no" });
            let line = format!("TCP 0 {} {} {press}", number(p.sockets), number(p.memory));
            ("protocols", format!("protocol  size sockets  memory press\n{line}\n"))
        }));
        texts.extend((!o.time_wait.is_empty()).then(|| ("time_wait", saved_extras::write_ports(&o.time_wait))));
        texts.extend((!o.threads.is_empty()).then(|| ("threads", saved_extras::write_threads(&o.threads))));
        texts.extend(o.bonds.as_ref().map(|bonds| ("bonds", saved_extras::write_bonds(bonds))));
        texts.extend(o.uptime.map(|s| ("uptime", format!("{s:.2} 0.00\n"))));
        texts.extend(o.page_size.map(|bytes| ("getconf", format!("PAGESIZE {bytes}\n"))));
        texts.extend(o.memory.map(|bytes| ("meminfo", format!("MemTotal: {} kB\n", bytes / 1024))));
        let release = |release: &String| format!("Linux version {}\n", visible(release));
        texts.extend(o.kernel_release.as_ref().map(|text| ("version", release(text))));
        texts
    }
}

/// A host while its files are being read.
#[derive(Default)]
struct Reading {
    host: SavedHost,
    /// Number of sockets with details, and number of all sockets, in the best socket list so far.
    knowledge: (usize, usize),
    /// Bytes read so far.
    total: u64,
}

impl Reading {
    fn take(&mut self, file: &Path, bytes: &[u8]) {
        let head = &bytes[..bytes.len().min(HEAD)];
        if head.contains(&0) || !may_be_of_a_host(&String::from_utf8_lossy(head)) {
            return;
        }
        self.total += bytes.len() as u64;
        if self.total > MAX_TOTAL {
            self.host.is_cut = true;
            return;
        }
        self.take_text(file, &String::from_utf8_lossy(bytes));
    }

    fn take_text(&mut self, file: &Path, text: &str) {
        let host = &mut self.host.observation;
        let mut is_used = false;
        let counters = proc_net::parse_counters(text);
        if !counters.is_empty() {
            host.counters.get_or_insert_default().extend(counters);
            is_used = true;
        }
        if text.lines().any(|l| l.starts_with("TCP: inuse ") || l.starts_with("TCP6: inuse ")) {
            let new = proc_net::parse_sockstat(text);
            let stat = host.sockstat.get_or_insert_default();
            stat.in_use = new.in_use.or(stat.in_use);
            stat.in_use6 = new.in_use6.or(stat.in_use6);
            stat.orphans = new.orphans.or(stat.orphans);
            stat.time_wait = new.time_wait.or(stat.time_wait);
            stat.allocated = new.allocated.or(stat.allocated);
            stat.memory = new.memory.or(stat.memory);
            is_used = true;
        }
        if let Some(protocol) = proc_net::parse_tcp_protocol(text) {
            host.tcp_protocol = Some(protocol);
            is_used = true;
        }
        if text.starts_with(saved_extras::PORTS) {
            host.time_wait = saved_extras::read_ports(text);
            is_used = true;
        } else if text.starts_with(saved_extras::THREADS) {
            host.threads = saved_extras::read_threads(text);
            is_used = true;
        } else if text.starts_with(saved_extras::BONDS) {
            host.bonds.get_or_insert_default().extend(saved_extras::read_bonds(text));
            is_used = true;
        } else if text.starts_with(saved_extras::BONDING_DRIVER) {
            let name = file.file_name().map(|name| name.to_string_lossy());
            let bond = saved_extras::kernels_bond(name.as_deref().unwrap_or_default(), text);
            host.bonds.get_or_insert_default().push(bond);
            is_used = true;
        } else if is_sysctl(text) {
            host.kernel_release = host.kernel_release.take().or_else(|| sysctl_value(text, "kernel.osrelease"));
            // Several files of settings form one list, in which a later value replaces an earlier one.
            let all = self.host.sysctls.get_or_insert_default();
            all.push_str(text);
            all.push('\n');
            is_used = true;
        } else if ss::looks_like_ss(text) {
            let sockets = ss::parse_sockets(text);
            self.host.is_cut |= sockets.len() >= ss::MOST_SOCKETS;
            let knowledge = knowledge(&sockets);
            if host.sockets.is_none() || knowledge > self.knowledge {
                host.sockets = Some(sockets);
                self.knowledge = knowledge;
            }
            is_used = true;
        } else if let Some(release) = release_of(text) {
            host.kernel_release = Some(release);
            is_used = true;
        } else if let Some(size) = proc_net::parse_page_size(text) {
            host.page_size = Some(size);
            is_used = true;
        } else if let Some(memory) = proc_net::parse_memory(text) {
            host.memory = Some(memory);
            is_used = true;
        } else if file.file_name().is_some_and(|n| n.to_string_lossy().contains("uptime"))
            && let Some(uptime) = proc_net::parse_uptime(text)
        {
            host.uptime = Some(uptime);
            is_used = true;
        }
        if is_used {
            self.host.files.push(file.to_owned());
        }
    }

    /// Completes the host with the conclusions from all files together; `None` if no file was usable.
    fn finish(mut self) -> Option<SavedHost> {
        if self.host.files.is_empty() {
            return None;
        }
        let host = &mut self.host.observation;
        if let Some(text) = &self.host.sysctls {
            // `tcp_mem` exists once per kernel, and only the initial network namespace shows it.
            host.is_initial_namespace = Some(sysctl_value(text, "net.ipv4.tcp_mem").is_some());
        }
        let mut gaps = Vec::new();
        match &host.sockets {
            None => gaps.push(Gap::Sockets),
            Some(sockets) => {
                if sockets.iter().any(|s| s.processes.is_empty() && s.inode.is_some()) {
                    gaps.push(Gap::Processes);
                }
                if sockets.iter().any(is_lock_unknown) {
                    gaps.push(Gap::Locks);
                }
                // Without a state column, every line with a word of `tcp_info` would count as a connection.
                let mut open = sockets.iter().filter(|s| s.state == Some(TcpState::Established)).peekable();
                if open.peek().is_some() && open.all(|s| s.info.known().next().is_none()) {
                    gaps.push(Gap::Details);
                }
            }
        }
        for (gap, is_missing) in [
            (Gap::Counters, host.counters.is_none()),
            (Gap::SockStat, host.sockstat.is_none()),
            (Gap::Uptime, host.uptime.is_none()),
            (Gap::Sysctls, self.host.sysctls.is_none()),
            (Gap::Kernel, host.kernel_release.is_none()),
        ] {
            if is_missing {
                gaps.push(gap);
            }
        }
        host.gaps = gaps;
        Some(self.host)
    }
}

/// Whether the application may have set the buffers of a connection and no source reports it.
pub(crate) fn is_lock_unknown(socket: &SocketSample) -> bool {
    socket.locks.is_none() && socket.inode.is_some() && socket.state.is_none_or(TcpState::is_connected)
}

fn sockstat_text(stat: tcpwhy_model::host::SockStat) -> String {
    let mut text = String::from("TCP: inuse ");
    text.push_str(&stat.in_use.unwrap_or(0).to_string());
    for (name, value) in
        [("orphan", stat.orphans), ("tw", stat.time_wait), ("alloc", stat.allocated), ("mem", stat.memory)]
    {
        if let Some(value) = value {
            let _ = write!(text, " {name} {value}");
        }
    }
    text.push('\n');
    if let Some(value) = stat.in_use6 {
        let _ = writeln!(text, "TCP6: inuse {value}");
    }
    text
}

fn read_error(path: &Path, error: std::io::Error) -> LiveError {
    LiveError::Read { path: path.to_owned(), error }
}

/// The files under a folder. Links are not followed, so a loop of links cannot trap the search.
#[derive(Default)]
struct Tree {
    files: Vec<PathBuf>,
    entries: usize,
    is_cut: bool,
}

impl Tree {
    fn collect(&mut self, folder: &Path, depth: usize) -> Result<(), LiveError> {
        for entry in fs::read_dir(folder).map_err(|e| read_error(folder, e))? {
            self.entries += 1;
            if self.files.len() >= MAX_FILES || self.entries > MAX_ENTRIES {
                self.is_cut = true;
                break;
            }
            let Ok(entry) = entry else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_file() {
                self.files.push(entry.path());
            } else if kind.is_dir() && depth > 1 {
                // An unreadable folder is skipped.
                let _ = self.collect(&entry.path(), depth - 1);
            }
        }
        Ok(())
    }
}

/// Reads a file found in a directory, if it may belong to a host. The file may have been replaced since it
/// was listed.
fn read_if_of_a_host(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let mut file = text_file::open(path, Links::Refused)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut bytes)?;
    if bytes.contains(&0) || !may_be_of_a_host(&String::from_utf8_lossy(&bytes)) {
        return Ok(None);
    }
    file.take(MAX_FILE).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn may_be_of_a_host(head: &str) -> bool {
    const MARKS: [&str; 15] = [
        saved_extras::BONDS,
        saved_extras::BONDING_DRIVER,
        saved_extras::PORTS,
        saved_extras::THREADS,
        "PAGESIZE",
        "net.",
        "Tcp",
        "TCP",
        "Recv-Q",
        "ESTAB",
        "LISTEN",
        "protocol ",
        "Linux version ",
        "Linux ",
        "MemTotal:",
    ];
    head.len() < 200 || MARKS.iter().any(|m| head.contains(m)) || is_sysctl(head)
}

/// Whether the text has the form of `sysctl`: several lines such as `net.ipv4.tcp_rmem = 4096 131072
/// 6291456`, or only such a line.
fn is_sysctl(text: &str) -> bool {
    let is_setting = |line: &str| {
        line.split_once('=').is_some_and(|(key, _)| {
            let key = key.trim();
            let is_name = |c: char| c.is_ascii_alphanumeric() || "._-/*".contains(c);
            (key.starts_with("net.") || key.starts_with("kernel.") || key.starts_with("vm.") || key.starts_with("fs."))
                && key.chars().all(is_name)
        })
    };
    text.lines().any(is_setting)
}

fn sysctl_value(text: &str, key: &str) -> Option<String> {
    text.lines().rev().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    })
}

/// The kernel release in the text of `/proc/version` or `uname -a`.
fn release_of(text: &str) -> Option<String> {
    let line = text.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    if words.next()? != "Linux" {
        return None;
    }
    let second = words.next()?;
    let release = words.next()?;
    let is_release = release.starts_with(|c: char| c.is_ascii_digit()) && release.contains('.');
    (is_release && (second == "version" || words.next().is_some())).then(|| release.to_owned())
}

/// Number of sockets with details, and number of all sockets. The larger pair is the better socket list.
fn knowledge(sockets: &[SocketSample]) -> (usize, usize) {
    let detailed = sockets.iter().filter(|s| s.memory.receive_buffer.is_some() || s.info.rtt.is_some()).count();
    (detailed, sockets.len())
}
