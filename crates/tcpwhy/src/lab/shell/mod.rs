//! `tcpwhy lab shell`: runs the user's program at one end of an emulated link.

mod args;
mod user;

use std::os::unix::net::UnixStream;
use std::time::Duration;

use tcpwhy_lab::cell::Supervisor;
use tcpwhy_lab::shell::{Door, Visit, join, visit};
use tcpwhy_lab::{LabError, MachineSettings, address};
use tcpwhy_report::{Args, Catalogue, Wording};
use tcpwhy_scenario::End;

pub(crate) use self::args::ShellArgs;
use super::permission::Permitted;
use super::runner::{Job, Runner};
use crate::exit::ExitStatus;
use crate::message;
use crate::message::failure;
use crate::scenarios;
use crate::wrong::{Context as _, Result};

/// No effective limit: an interactive session may take any time.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Runs a shell or a command at one end of the link. The link is created unless another shell of the same
/// scenario has it.
pub(super) fn run(args: &ShellArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.output.words.language());
    let wording = Wording::new(&catalogue);
    let named = scenarios::scenario(&args.target)?;
    let word = named.word.clone();
    let scenario = named.permit(args.permission, wording)?;
    let wanted = Visit { end: args.end.into(), user: user::user(args.user.as_deref())?, command: args.command.clone() };
    let (is_shell, end) = (wanted.command.is_empty(), wanted.end);
    let say = |id: &str| {
        if is_shell && !args.output.quiet {
            message::say(catalogue.text(id, &words(&catalogue, &scenario, &word, end)));
        }
    };
    // Another shell may open or end the link between these steps.
    for _ in 0..ATTEMPTS {
        if let Some(stream) = join(&scenario)? {
            say("lab-shell-joined");
            return Ok(visit(stream, wanted)?.into());
        }
        if let Some(door) = Door::open(&scenario)? {
            let runner = Runner::new(wording, args.output.quiet)?;
            return open(&runner, &scenario, door, wanted, || say("lab-shell-opened"));
        }
    }
    Err(failure("lab-link-busy").into())
}

/// Attempts to join or open the link. Each failure means that one link ended and another began.
const ATTEMPTS: u32 = 3;

/// The addresses and names of both ends, for messages.
fn words(catalogue: &Catalogue, scenario: &Permitted, word: &str, end: End) -> Args {
    let other = end.other();
    let name = |end: End| catalogue.word(&format!("lab-at-{end}"));
    Args::new()
        .text("end", name(end))
        .text("address", address(scenario.ip_version, end).to_string())
        .text("other", name(other))
        .text("other-address", address(scenario.ip_version, other).to_string())
        .text("command", format!("tcpwhy lab shell {word} --end {other}"))
}

/// Creates the link and keeps it until `wanted` has ended.
fn open(
    runner: &Runner<'_>,
    scenario: &Permitted,
    door: Door,
    wanted: Visit,
    say: impl FnOnce(),
) -> Result<ExitStatus> {
    let (settings, notices) = MachineSettings::set(scenario, &["lab", "guardian"])?;
    runner.say(notices);
    let ended = keep(scenario, door, wanted, say);
    runner.say(settings.end()?);
    ended
}

fn keep(scenario: &Permitted, door: Door, wanted: Visit, say: impl FnOnce()) -> Result<ExitStatus> {
    let job = Job::Shell { scenario: Box::new((**scenario).clone()) };
    let (cell, control) = Supervisor::spawn_connected(&["lab", "cell"], &job)?;
    let mut begin = Some((door, control, wanted, say));
    let mut ended = None;
    // The link is up when the worker reports progress. It ends when this connection closes, at the latest
    // with this process.
    let outcome = cell.wait::<(), ()>(LONGEST, |()| {
        if let Some((door, control, wanted, say)) = begin.take() {
            say();
            ended = Some(first(door, &control, wanted));
            // The door keeps the other handle until this process ends: the worker must see the end of the
            // connection.
            let _ = control.shutdown(std::net::Shutdown::Both);
        }
    });
    match ended {
        Some(status) => Ok(status?.into()),
        None => outcome.map(|()| ExitStatus::SUCCESS).context(failure("lab-link-not-made")),
    }
}

/// Runs the program of the user who opened the link.
fn first(door: Door, control: &UnixStream, wanted: Visit) -> Result<u8, LabError> {
    let failed = |error| LabError::io("opening the link", error);
    let (here, there) = UnixStream::pair().map_err(failed)?;
    door.attend(control.try_clone().map_err(failed)?, &there)?;
    // The worker has a copy. With one open here, the end of the worker would go unnoticed.
    drop(there);
    visit(here, wanted)
}
