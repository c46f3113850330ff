//! `tcpwhy lab schema` and `tcpwhy lab new`: the format of scenarios, and a file to start from.

use std::io::Write as _;

use tcpwhy_report::{Args, Catalogue, Language, Wording};
use tcpwhy_scenario::{NEW, Phrase, SCHEMA, bundled, reference};

use super::args::{NewArgs, SchemaArgs};
use crate::exit::ExitStatus;
use crate::message::{Failure, failure};
use crate::output::file::{self, Output};
use crate::scenarios;
use crate::standard_output::stdout;
use crate::wrong::{Result, bail};

/// Prints the schema, or the reference generated from it.
pub(super) fn schema(args: &SchemaArgs) -> Result<ExitStatus> {
    let mut out = stdout();
    if args.reference {
        out.write_all(page(args.words.language()).as_bytes())?;
    } else {
        out.write_all(SCHEMA.as_bytes())?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// The reference, as in `docs/scenarios.md` and `docs/scenarios.zh-CN.md`.
fn page(language: Language) -> String {
    let catalogue = Catalogue::new(language);
    let words = |phrase: &Phrase<'_>| {
        let args = phrase.values.iter().fold(Args::new(), |args, (name, value)| args.text(*name, value));
        catalogue.text(&phrase.id, &args)
    };
    format!("{}\n{}", catalogue.word("lab-reference-head"), reference(&words))
}

/// Writes the file.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let path = &args.file;
    if path.extension().is_none_or(|extension| extension != "toml") {
        bail!(failure("scenario-file-name").with("file", path.display().to_string()));
    }
    let inputs = scenarios::files(&args.like);
    // Users edit the new file, so even a file of tcpwhy is not replaced without `--overwrite`.
    let output = Output::prepare(path, &file::policy_for_edited(inputs, args.overwrite.overwrite))?;
    let text = match &args.like {
        None => NEW.to_owned(),
        Some(word) => match bundled::text(word) {
            Some(text) => text.to_owned(),
            None => scenarios::scenario(word)?.scenario.to_toml().map_err(Failure::from)?,
        },
    };
    if let Some(written) = output.write(text.as_bytes())?
        && !args.output.quiet
    {
        let catalogue = Catalogue::new(args.output.words.language());
        file::say_written(Wording::new(&catalogue), path, written);
    }
    Ok(ExitStatus::SUCCESS)
}
