//! `tcpwhy lab schema` and `tcpwhy lab new`: what a scenario may say, and a file to begin with.

use std::io::Write as _;

use anyhow::{Result, anyhow, bail};
use tcpwhy_lab::scenario::{NEW, bundled, reference, schema as scenario_schema};

use super::args::{NewArgs, SchemaArgs};
use super::{documents, target};
use crate::exit::ExitStatus;
use crate::standard_output::stdout;

/// Prints the schema, or the reference made of it.
pub(super) fn schema(args: &SchemaArgs) -> Result<ExitStatus> {
    let mut out = stdout();
    if args.reference {
        out.write_all(page().as_bytes())?;
    } else {
        tcpwhy_report::json::to_writer_pretty(&mut out, &scenario_schema())?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// The reference as it stands in `docs/scenarios.md`.
fn page() -> String {
    format!(
        "# Scenarios of the lab\n\nWhat a scenario's file (TOML) may say, made from the code that reads it: `tcpwhy lab schema \
         --reference`. `tcpwhy lab schema` prints a JSON schema for editors, `tcpwhy lab new FILE.toml` a file to begin with. Quantities \
         are strings with units: bytes `\"64KiB\"`, `\"22MB\"` (k, M, G are powers of 1000, Ki, Mi, Gi of 1024), times `\"20ms\"`, \
         `\"100us\"`, `\"2s\"`, rates `\"100mbit\"`, `\"12.5MB/s\"`, shares `\"0.5%\"`. An impossible value is refused with its key and \
         its line.\n{}",
        reference()
    )
}

/// Writes the file.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let path = &args.file;
    if path.extension().is_none_or(|extension| extension != "toml") {
        bail!("{}: a scenario's file ends in .toml", path.display());
    }
    if path.symlink_metadata().is_ok() {
        bail!("{} is there already", path.display());
    }
    let text = match &args.like {
        None => NEW.to_owned(),
        Some(word) => match bundled::text(word) {
            Some(text) => text.to_owned(),
            None => target::scenario(word)?.scenario.to_toml().map_err(|error| anyhow!(error))?,
        },
    };
    documents::write(path, &text)?;
    Ok(ExitStatus::SUCCESS)
}
