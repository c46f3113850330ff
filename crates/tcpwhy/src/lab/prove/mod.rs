//! `tcpwhy lab prove`: a capture's situation is set up again, with and without the proposed fix.

mod args;

use crate::exit::ExitStatus;
use std::io::Write as _;

use anyhow::{Context as _, Result, anyhow};
use tcpwhy_kernel::{Sysctl, Sysctls};
use tcpwhy_lab::Scenario;
use tcpwhy_proof::prove::{Host, Part, Trial};
use tcpwhy_proof::{connections, principal};
use tcpwhy_report::{Catalogue, Wording};

pub(crate) use self::args::ProveArgs;
use super::permission::{Named, Origin, PermissionArgs};
use super::runner::Runner;
use super::scratch::Scratch;
use crate::environment;
use crate::output::file;
use crate::standard_output::stdout;

/// Exit status when the rebuilt transfer is another one, or the prediction was wrong.
const EXIT_DISPROVED: u8 = 1;

/// Puts the explanation of the capture that `args` names to the proof.
pub(super) fn run(args: &ProveArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.output.words.language());
    let wording = Wording::new(&catalogue);
    let name = || args.file.display().to_string();
    let connections = connections(&args.file)?;
    let (connection, half) = principal(&connections, args.connection).with_context(name)?;
    let mut trial = Trial::new(&args.file, connection, half, &host()?)
        .map_err(|cannot| anyhow!("{}: {}", name(), cannot.words(wording)))?;
    if !args.dry_run {
        let scratch = Scratch::unless(args.out.as_deref())?;
        let runner = Runner::new(wording, args.output.quiet)?;
        trial.run(|scenario: Scenario, part: Part| {
            let named = Named { word: scenario.name.clone(), origin: Origin::Rebuilt, scenario };
            let permitted = named.permit(PermissionArgs::NOTHING, wording)?;
            runner.record(&permitted, &scratch.path().join(part.name()), [part.number(), Part::COUNT])
        })?;
    }
    if let Some(path) = &args.scenario {
        let text = trial.scenario().to_toml().map_err(|error| anyhow!(error))?;
        file::write(path, text.as_bytes())?;
    }
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, trial.proof())?;
        writeln!(out)?;
    } else {
        out.write_all(trial.page(wording).as_bytes())?;
    }
    Ok(if trial.proof().is_proved() == Some(false) { ExitStatus::from(EXIT_DISPROVED) } else { ExitStatus::SUCCESS })
}

/// The kernel that this runs on.
fn host() -> Result<Host> {
    let version = environment::running_kernel().context("the version of this kernel is not known")?;
    let (sysctls, _) = Sysctls::parse(&tcpwhy_live::sysctl_text()?);
    let most = |sysctl: Sysctl| {
        let number = sysctls.number(sysctl).and_then(|number| u64::try_from(number).ok());
        number.with_context(|| format!("{} is not known", sysctl.name()))
    };
    Ok(Host { version, wmem_max: most(Sysctl::WmemMax)?, rmem_max: most(Sysctl::RmemMax)? })
}
