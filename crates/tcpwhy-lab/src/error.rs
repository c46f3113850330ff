//! Errors of a run.

use std::io;

use tcpwhy_files::WriteError;
use tcpwhy_model::{Explained, Message, MessageValue};

use tcpwhy_scenario::End;

/// An error of a run. Its text is one line that names the problem and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A network namespace could not be created.
    #[error(
        "cannot create a network namespace: {0}. Run as root, or allow unprivileged user namespaces (user.max_user_namespaces, and kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns where the kernel has them)"
    )]
    Namespace(io::Error),
    /// A TAP device could not be created.
    #[error(
        "cannot create a TAP device: {0}. /dev/net/tun must exist and be open to this user (modprobe tun; in a container: --device /dev/net/tun)"
    )]
    Tap(io::Error),
    /// A program that the lab needs is not installed.
    #[error("`{0}` is not installed (package {1})")]
    NoProgram(String, &'static str),
    /// Foreign programs that a scenario runs are not installed.
    #[error("this scenario runs {programs}, which are not installed here{help}")]
    NoPrograms {
        /// Their names.
        programs: String,
        /// How to install them, if the scenario contains that.
        help: String,
    },
    /// A program failed.
    #[error("`{command}`: {said}")]
    Command {
        /// The command line.
        command: String,
        /// The last line that it printed.
        said: String,
    },
    /// A setting of a namespace or of the machine could not be changed.
    #[error("cannot set {name} to {value}: {error}")]
    Setting {
        /// `net.ipv4.tcp_wmem`
        name: String,
        /// The value that was to be set.
        value: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A setting of the whole machine that this user may not change.
    #[error("this scenario sets {0} for the whole machine: run it as root, outside of containers")]
    Machine(String),
    /// Another run has changed the setting and still runs.
    #[error("another run{} is changing {name}: try again once it has ended", holder.map(|id| format!(" (process {id})")).unwrap_or_default())]
    MachineBusy {
        /// The setting.
        name: String,
        /// The process of that run, if it is known.
        holder: Option<u32>,
    },
    /// None of the folders on which scratch memory may be mounted exists.
    #[error("no directory to mount temporary memory on: create one of /mnt, /media, /srv, /opt")]
    NoScratch,
    /// The kernel lacks a feature.
    #[error("this kernel lacks {0}")]
    Kernel(&'static str),
    /// The scenario needs the emulator of this crate, not netem.
    #[error(
        "netem can delay, drop and duplicate frames and limit the rate. Chosen losses, policers, jitter in order, reordering alone and changes need the lab's own emulator"
    )]
    Netem,
    /// An operation of the system failed.
    #[error("{what}: {error}")]
    Io {
        /// The operation.
        what: String,
        /// The system's error. It is part of the message, so it is not a `source` as well.
        error: io::Error,
    },
    /// The recording could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The run took longer than the scenario allows, in seconds.
    #[error("stopped after {0} s, the longest time that the scenario allows")]
    Deadline(u64),
    /// A socket has another congestion control than the scenario asks for.
    #[error(
        "the {end}'s socket has the congestion control {got} instead of {wanted}: load it (modprobe tcp_{wanted}) and add it to net.ipv4.tcp_allowed_congestion_control"
    )]
    CongestionControl {
        /// The end of the socket.
        end: End,
        /// The congestion control that the scenario asks for.
        wanted: String,
        /// The congestion control of the socket.
        got: String,
    },
    /// The connection broke during the transfer, which the scenario does not expect.
    #[error("the transfer did not complete: {0}")]
    Broken(String),
    /// A folder that is not a complete recording.
    #[error("{folder} is not a recording: {why}")]
    NotARecording {
        /// Its path.
        folder: String,
        /// The part that is missing or wrong.
        why: String,
    },
    /// The process tree of a run broke, or reported an error.
    #[error("{0}")]
    Cell(String),
}

impl LabError {
    /// An error of the operation `what`.
    pub fn io(what: impl Into<String>, error: impl Into<io::Error>) -> Self {
        Self::Io { what: what.into(), error: error.into() }
    }
}

impl Explained for LabError {
    fn message(&self) -> Message {
        match self {
            Self::Namespace(cause) => Message::new("lab-namespace").with("cause", cause),
            Self::Tap(cause) => Message::new("lab-tap").with("cause", cause),
            Self::NoProgram(program, package) => {
                Message::new("lab-no-program").with("program", program.as_str()).with("package", *package)
            }
            Self::NoPrograms { programs, help } => {
                Message::new("lab-no-programs").with("programs", programs.as_str()).with("help", help.as_str())
            }
            Self::Command { command, said } => {
                Message::new("at").with("place", format!("`{command}`")).with("what", said.as_str())
            }
            Self::Setting { name, value, error } => Message::new("lab-setting")
                .with("name", name.as_str())
                .with("value", value.as_str())
                .with("cause", error),
            Self::Machine(setting) => Message::new("lab-machine").with("setting", setting.as_str()),
            Self::MachineBusy { name, holder: None } => Message::new("lab-machine-busy").with("name", name.as_str()),
            Self::MachineBusy { name, holder: Some(id) } => {
                Message::new("lab-machine-busy-process").with("name", name.as_str()).with("id", id.to_string())
            }
            Self::NoScratch => Message::new("lab-no-scratch"),
            Self::Kernel(what) => Message::new("lab-kernel").with("what", *what),
            Self::Netem => Message::new("lab-netem"),
            Self::Io { what, error } => Message::new("at").with("place", what.as_str()).with("what", error),
            Self::Write(error) => error.message(),
            Self::Deadline(seconds) => Message::new("lab-deadline").with("seconds", *seconds),
            Self::CongestionControl { end, got, wanted } => Message::new("lab-congestion-control")
                .with("end", end.to_string())
                .with("got", got.as_str())
                .with("wanted", wanted.as_str()),
            Self::Broken(how) => Message::new("lab-broken").with("how", how.as_str()),
            Self::NotARecording { folder, why } => Message::new("lab-not-a-recording")
                .with("folder", folder.as_str())
                .with("why", MessageValue::reread(why)),
            // A run in a process of its own sends its error as a message if it can.
            Self::Cell(said) => match MessageValue::reread(said) {
                MessageValue::Message(message) => message,
                MessageValue::Text(text) => Message::new("other").with("what", text),
            },
        }
    }
}
