//! `tcpwhy lab prove`: a capture's situation is set up again, with and without the proposed fix.
//!
//! What the packets show becomes a scenario ([`mod@rebuild`]); the fix of the finding that explains the verdict changes it ([`mod@fix`]);
//! both are run and explained as any capture is, and the prediction is held against what came of it.

mod args;
mod buffers;
mod fix;
mod page;
mod proof;
mod rebuild;
mod situation;

use crate::exit::ExitStatus;
use std::io::Write as _;

use anyhow::{Context as _, Result, anyhow};
use tcpwhy_kernel::{Sysctl, Sysctls};
use tcpwhy_lab::scenario::End;
use tcpwhy_lab::{Recording, Scenario};
use tcpwhy_report::{Args, Catalogue, Wording};

pub(crate) use self::args::ProveArgs;
use self::buffers::Host;
use self::fix::{fixed, shortened};
use self::page::page;
use self::proof::{Measured, Plan, Proof};
use self::rebuild::{culprit, rebuild, subject};
use self::situation::RebuildError;
use super::documents;
use super::explained::{connections, in_question, principal};
use super::permission::{Named, Origin, PermissionArgs};
use super::runner::Runner;
use super::scratch::Scratch;
use crate::environment;
use crate::standard_output::stdout;

/// Exit status when the rebuilt transfer is another one, or the prediction was wrong.
const EXIT_DISPROVED: u8 = 1;

/// Puts the explanation of the capture that `args` names to the proof.
pub(super) fn run(args: &ProveArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.output.words.language());
    let wording = Wording::new(&catalogue);
    let refused = |cannot: RebuildError| anyhow!("{}: {}", args.file.display(), words_of(cannot, wording));
    let connections = connections(&args.file)?;
    let (connection, half) =
        principal(&connections, args.connection).with_context(|| args.file.display().to_string())?;
    let half = subject(connection, half);
    let mut rebuilt = rebuild(connection, half, &host()?).map_err(refused)?;
    let (cause, finding) = culprit(half).map_err(refused)?;
    let (fix, better) = fixed(&rebuilt.scenario, finding).map_err(refused)?;
    let plan = Plan::new(half, finding).ok_or_else(|| refused(RebuildError::NoPrediction))?;
    let mut proof = Proof::new(args, cause, fix, &rebuilt, &plan);
    if !args.dry_run {
        let scratch = Scratch::unless(args.out.as_deref())?;
        let folder = scratch.path();
        let vantage = rebuilt.vantage;
        let runner = Runner::new(wording, args.output.quiet)?;
        let run = |scenario: &Scenario, share: f64, name: &str, number: usize| -> Result<Measured> {
            let scenario = shortened(scenario, share);
            let named = Named { word: scenario.name.clone(), origin: Origin::Rebuilt, scenario };
            let permitted = named.permit(PermissionArgs::NOTHING, wording)?;
            let recording = runner.record(&permitted, &folder.join(name), [number, 2])?;
            measure(&recording, vantage, share)
        };
        let mut before = run(&rebuilt.scenario, plan.share_before, "rebuilt", 1)?;
        if let Some(nearer) = before.window_bytes.and_then(|window| rebuilt.corrected(window)) {
            before = run(&nearer, plan.share_before, "rebuilt", 1)?;
            rebuilt.scenario = nearer;
        }
        let after = run(&better, plan.share_after, "fixed", 2)?;
        proof.conclude(&plan, before, after);
    }
    if let Some(path) = &args.scenario {
        let text = rebuilt.scenario.to_toml().map_err(|error| anyhow!(error))?;
        documents::write(path, &text)?;
    }
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, &proof)?;
        writeln!(out)?;
    } else {
        out.write_all(page(wording, &proof, &rebuilt.scenario, fix).as_bytes())?;
    }
    Ok(if proof.is_proved() == Some(false) { ExitStatus::from(EXIT_DISPROVED) } else { ExitStatus::SUCCESS })
}

/// What a recording shows at the end at which the capture was taken.
fn measure(recording: &Recording, vantage: End, share: f64) -> Result<Measured> {
    let path = recording.capture(vantage);
    let connections = connections(&path)?;
    let (_, half) = in_question(&connections, recording.scenario())
        .with_context(|| format!("{}: the sender sent no payload", path.display()))?;
    Ok(Measured::new(half, share, recording.truth().quality.doubts.clone()))
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

fn words_of(cannot: RebuildError, wording: Wording<'_>) -> String {
    let what = match cannot {
        RebuildError::Finding(rule) => wording.rule_title(rule),
        RebuildError::Unknown(name) => name.to_owned(),
        _ => String::new(),
    };
    wording.catalogue().text(&format!("prove-cannot-{}", cannot.id()), &Args::new().text("what", what))
}
