//! Subcommands that explain tcpwhy itself.

use crate::exit::ExitStatus;
use std::io::Write as _;

use anyhow::{Result, bail};
use clap::CommandFactory as _;
use clap_complete::Shell;
use tcpwhy_analysis::RULES;
use tcpwhy_analysis::host::checks;
use tcpwhy_report::text::RuleEntry;
use tcpwhy_report::{Wording, dto, text};

use crate::args::{Cli, RulesArgs, SchemaChoice};
use crate::standard_output::stdout;

/// `tcpwhy rules [ID]`.
pub(crate) fn rules(args: &RulesArgs) -> Result<ExitStatus> {
    let catalogue = args.look.catalogue();
    let wording = Wording::new(&catalogue);
    let look = args.look.look();
    let text = match &args.id {
        None => text::rule_list(wording, look, entries()),
        Some(id) => match entries().find(|rule| rule.id == id) {
            Some(rule) => text::rule_page(wording, look, rule),
            None => bail!("no rule {id:?}; `tcpwhy rules` lists them"),
        },
    };
    write!(stdout(), "{text}")?;
    Ok(ExitStatus::SUCCESS)
}

/// `tcpwhy schema [COMMAND]`.
pub(crate) fn schema(of: SchemaChoice) -> Result<ExitStatus> {
    let schema = match of {
        SchemaChoice::Explain => dto::json_schema(),
        SchemaChoice::Compare => dto::compare_schema(),
        SchemaChoice::Buffers => dto::buffers_schema(),
        SchemaChoice::Audit => dto::audit_schema(),
        SchemaChoice::Lab => dto::lab_schema(),
    };
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, &schema)?;
    writeln!(out)?;
    Ok(ExitStatus::SUCCESS)
}

/// `tcpwhy completions SHELL`.
pub(crate) fn completions(shell: Shell) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tcpwhy", &mut script);
    stdout().write_all(&script)?;
    Ok(ExitStatus::SUCCESS)
}

/// `tcpwhy man`.
pub(crate) fn man() -> Result<ExitStatus> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    stdout().write_all(&page)?;
    Ok(ExitStatus::SUCCESS)
}

fn entries() -> impl Iterator<Item = RuleEntry<'static>> {
    let of_captures = RULES.iter().map(|rule| RuleEntry { id: rule.id, severity: rule.severity, limits: rule.limits });
    let of_hosts = checks().map(|check| RuleEntry { id: check.id, severity: check.severity, limits: &[] });
    of_captures.chain(of_hosts)
}
