//! `tcpwhy lab prove`: tests an explanation of a capture and its rivals by experiments on this kernel.

mod args;

use crate::exit::ExitStatus;
use crate::message::{Failure, failure};
use std::io::Write as _;

use tcpwhy_files::FileId;
use tcpwhy_kernel::{Sysctl, Sysctls};
use tcpwhy_lab::Recording;
use tcpwhy_proof::prove::{Conclusion, Host, Part, Trial};
use tcpwhy_proof::{connections, principal};
use tcpwhy_report::{Catalogue, Wording};
use tcpwhy_scenario::Scenario;

pub(crate) use self::args::ProveArgs;
use super::permission::PermissionArgs;
use super::runner::{Rule, Runner};
use super::scratch::Scratch;
use crate::environment;
use crate::output::file::{self, Output};
use crate::scenarios::{Named, Origin};
use crate::standard_output::stdout;
use crate::wrong::{Context as _, Result, Wrong};

/// Exit status when the explanation is refuted.
const EXIT_REFUTED: u8 = 1;
/// Exit status when the runs do not decide.
const EXIT_UNDECIDED: u8 = 3;

/// Tests the explanation of the capture that `args` names.
pub(super) fn run(args: &ProveArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.output.words.language());
    let wording = Wording::new(&catalogue);
    let name = || args.file.display().to_string();
    let mut inputs = file::read_from([&args.file]);
    // A recording's other files belong to it.
    let beside = file::folder_of(&args.file);
    if Recording::open(beside).is_ok() {
        inputs.extend(FileId::all_in(beside));
    }
    let policy = file::policy_for_edited(inputs.clone(), args.overwrite.overwrite);
    let scenario = args.scenario.as_deref().map(|path| Output::prepare(path, &policy)).transpose()?;
    let rule = Rule { inputs, is_overwriting: args.overwrite.overwrite };
    if let Some(out) = &args.out {
        rule.check(&Part::ALL.map(|part| out.join(part.name())))?;
    }
    let connections = connections(&args.file)?;
    let (connection, half) = principal(&connections, args.connection).with_context(name)?;
    let mut trial = Trial::new(&args.file, connection, half, &host()?, args.suppose)?
        .map_err(|cannot| Wrong::said(cannot.words(wording)).context(name()))?;
    if !args.dry_run {
        let scratch = Scratch::unless(args.out.as_deref())?;
        let runner = Runner::new(wording, args.output.quiet)?.replacing(rule);
        trial.run(|scenario: Scenario, part: Part| {
            let named = Named { word: scenario.name.clone(), origin: Origin::Rebuilt, scenario };
            let permitted = named.permit(PermissionArgs::NOTHING, wording)?;
            // A transfer that takes much longer than the captured one refutes the explanation, so it is a
            // valid result.
            runner.record_any(&permitted, &scratch.path().join(part.name()), [part.number(), Part::COUNT])
        })?;
        if let Some(out) = &args.out {
            runner.say_written(out);
        }
    }
    if let (Some(output), Some(path)) = (scenario, &args.scenario) {
        let rebuilt = trial.scenario().ok_or_else(|| failure("nothing-rebuilt"))?;
        let text = rebuilt.to_toml().map_err(Failure::from)?;
        if let Some(written) = output.write(text.as_bytes())?
            && !args.output.quiet
        {
            file::say_written(wording, path, written);
        }
    }
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, trial.proof())?;
        writeln!(out)?;
    } else {
        out.write_all(trial.page(wording).as_bytes())?;
    }
    Ok(match trial.proof().conclusion() {
        None | Some(Conclusion::Proved(_)) => ExitStatus::SUCCESS,
        Some(Conclusion::Refuted(_)) => ExitStatus::from(EXIT_REFUTED),
        Some(Conclusion::Undecided(_)) => ExitStatus::from(EXIT_UNDECIDED),
    })
}

/// The running kernel and its limits.
fn host() -> Result<Host> {
    let version = environment::running_kernel().context(failure("kernel-version-unknown"))?;
    let (sysctls, _) = Sysctls::parse(&tcpwhy_live::sysctl_text()?);
    let most = |sysctl: Sysctl| {
        let number = sysctls.number(sysctl).and_then(|number| u64::try_from(number).ok());
        number.with_context(|| failure("setting-unknown").with("setting", sysctl.name()))
    };
    Ok(Host { version, wmem_max: most(Sysctl::WmemMax)?, rmem_max: most(Sysctl::RmemMax)? })
}
