//! Subcommands that explain tcpwhy itself.

use crate::exit::ExitStatus;
use crate::message::failure;
use std::io::Write as _;
use std::path::Path;
use tcpwhy_model::foreign::quoted;

use clap_complete::Shell;
use tcpwhy_analysis::RULES;
use tcpwhy_audit::checks;
use tcpwhy_files::{Folder, Written};
use tcpwhy_report::text::RuleEntry;
use tcpwhy_report::{Catalogue, Language, SchemaOf, Wording, text};

use crate::args::{RulesArgs, SchemaChoice};
use crate::help;
use crate::output::{file, tables};
use crate::standard_output::stdout;
use crate::wrong::{Foreign as _, Result, bail};

/// `tcpwhy rules [ID]`.
pub(crate) fn rules(args: &RulesArgs) -> Result<ExitStatus> {
    let catalogue = args.look.catalogue();
    let wording = Wording::new(&catalogue);
    let look = args.look.look();
    let text = match &args.id {
        None => text::rule_list(wording, look, entries()),
        Some(id) => match entries().find(|rule| rule.id == id) {
            Some(rule) => text::rule_page(wording, look, rule),
            None => bail!(failure("rule-unknown").with("rule", quoted(id))),
        },
    };
    write!(stdout(), "{text}")?;
    Ok(ExitStatus::SUCCESS)
}

/// `tcpwhy schema [COMMAND]`.
pub(crate) fn schema(of: SchemaChoice) -> Result<ExitStatus> {
    let of = match of {
        SchemaChoice::Explain => SchemaOf::Explain,
        SchemaChoice::Compare => SchemaOf::Compare,
        SchemaChoice::Buffers => SchemaOf::Buffers,
        SchemaChoice::Audit => SchemaOf::Audit,
        SchemaChoice::Lab => SchemaOf::Lab,
        SchemaChoice::Sim => SchemaOf::Sim,
        SchemaChoice::Predict => SchemaOf::Predict,
        SchemaChoice::Live => SchemaOf::Live,
        SchemaChoice::Tables => {
            stdout().write_all(tables::columns()?.as_bytes())?;
            return Ok(ExitStatus::SUCCESS);
        }
    };
    stdout().write_all(of.text().as_bytes())?;
    Ok(ExitStatus::SUCCESS)
}

/// `tcpwhy completions SHELL`.
pub(crate) fn completions(shell: Shell, language: Language) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(&Catalogue::new(language)), "tcpwhy", &mut script);
    stdout().write_all(&script)?;
    Ok(ExitStatus::SUCCESS)
}

/// `tcpwhy man [DIR]`.
pub(crate) fn man(
    folder: Option<&Path>,
    is_overwriting: bool,
    language: Language,
    is_quiet: bool,
) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(language);
    let mut command = help::command(&catalogue);
    if let Some(path) = folder {
        // Sets the full names of subcommands.
        command.build();
        let mut pages = Vec::new();
        collect(command, &catalogue, &mut pages)?;
        let folder = Folder::open(path)?;
        let policy = file::policy(Vec::new(), is_overwriting, &[MARK]);
        // All files are checked before the first is written.
        pages.iter().try_for_each(|(name, _)| folder.check(name, &policy))?;
        let mut written = Written::default();
        for (name, page) in &pages {
            written += folder.replace(name, &policy, |out| out.write_all(page.as_bytes()))?;
        }
        if !is_quiet {
            file::say_written(Wording::new(&catalogue), path, written);
        }
        return Ok(ExitStatus::SUCCESS);
    }
    stdout().write_all(page(command, &catalogue)?.as_bytes())?;
    Ok(ExitStatus::SUCCESS)
}

/// A comment in the first line of a page, by which its file is recognized.
const MARK: &str = ".\\\" written by tcpwhy\n";

/// The page of `command`, and those of its subcommands, each with the name of its file.
fn collect(command: clap::Command, catalogue: &Catalogue, pages: &mut Vec<(String, String)>) -> Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        collect(subcommand.clone(), catalogue, pages)?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    pages.push((format!("{name}.1"), format!("{MARK}{}", page(command, catalogue)?)));
    Ok(())
}

fn page(command: clap::Command, catalogue: &Catalogue) -> Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(help::manual(String::from_utf8(page).foreign()?, catalogue))
}

/// The ids of all rules.
pub(crate) fn rule_ids() -> impl Iterator<Item = &'static str> {
    entries().map(|rule| rule.id)
}

/// The text of `tcpwhy rules ID` without colours; `None` for an unknown id.
pub(crate) fn rule_text(wording: Wording<'_>, id: &str) -> Option<String> {
    /// A fixed width of 100 columns, because there is no terminal.
    const LOOK: text::Look = text::Look { width: 100, has_color: false, has_unicode: true };
    let rule = entries().find(|rule| rule.id == id)?;
    Some(text::rule_page(wording, LOOK, rule))
}

fn entries() -> impl Iterator<Item = RuleEntry<'static>> {
    let of_captures = RULES.iter().map(|rule| RuleEntry { id: rule.id, severity: rule.severity, limits: rule.limits });
    let of_hosts = checks().map(|check| RuleEntry { id: check.id, severity: check.severity, limits: &[] });
    of_captures.chain(of_hosts)
}
