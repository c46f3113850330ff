//! `tcpwhy mcp --check`: prints the restrictions of the server and the files that a client may name.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::json;
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::Args;
use tcpwhy_rights::Confined;

use super::folders::Folders;
use super::shared::Shared;
use super::tools::Tool;
use crate::environment;
use crate::exit::ExitStatus;
use crate::standard_output::stdout;
use crate::wrong::{Foreign as _, Result};

/// Prints the report.
pub(super) fn run(shared: &Shared, typed: &[PathBuf], confined: Confined) -> Result<ExitStatus> {
    let words = &shared.catalogue;
    let mut lines = Vec::new();
    for folder in shared.folders.paths() {
        let count = Folders::count_in(folder);
        let args = Args::new().text("path", visible_path(folder)).number("count", count);
        lines.push(words.text("mcp-check-folder", &args));
    }
    let yes_or_no = |id: &str, is_so: bool| words.word(&format!("mcp-check-{id}-{}", if is_so { "yes" } else { "no" }));
    lines.push(yes_or_no("live", shared.host.is_some()));
    lines.push(words.word("mcp-check-settings"));
    lines.push(yes_or_no("names", shared.anonymizer.is_some()));
    lines.push(yes_or_no("files", confined.files));
    lines.push(yes_or_no("calls", confined.calls));
    let offered: Vec<_> = Tool::ALL
        .into_iter()
        .filter(|tool| *tool != Tool::Live || shared.host.is_some())
        .map(|tool| tool.offered(words))
        .collect();
    let bytes = serde_json::to_string(&offered).foreign()?.len() as u64;
    let names: Vec<_> = offered.iter().map(|tool| &*tool.name).collect();
    let args = Args::new().text("names", names.join(", ")).number("bytes", bytes);
    lines.push(words.text("mcp-check-tools", &args));
    lines.push(words.word("mcp-check-paste"));
    // The arguments as given. Folders and the key file become absolute, because the client may start it
    // anywhere.
    let argument = |word: OsString| {
        let path = PathBuf::from(&word);
        let is_path = typed.contains(&path) || path.is_file();
        visible_path(&if is_path { path.canonicalize().unwrap_or(path) } else { path })
    };
    let arguments: Vec<_> = environment::typed().skip(1).filter(|word| word != "--check").map(argument).collect();
    let program = std::env::current_exe().map_or_else(|_| "tcpwhy".to_owned(), |path| visible_path(&path));
    let config = json!({ "mcpServers": { "tcpwhy": { "command": program, "args": arguments } } });
    lines.push(serde_json::to_string_pretty(&config).foreign()?);
    let mut out = stdout();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}
