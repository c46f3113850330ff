//! `tcpwhy lab list`.

use crate::exit::ExitStatus;
use std::io::Write as _;

use tcpwhy_proof::results::entry;
use tcpwhy_report::Wording;
use tcpwhy_report::text::lab_list;
use tcpwhy_scenario::bundled;

use super::args::ListArgs;
use crate::standard_output::stdout;
use crate::wrong::Result;

/// Lists the bundled scenarios.
pub(super) fn run(args: &ListArgs) -> Result<ExitStatus> {
    let language = args.output.look.language();
    let catalogue = args.output.look.catalogue();
    let entries: Vec<_> = bundled::all().map(|scenario| entry(&scenario, language)).collect();
    let look = args.output.look.look();
    write!(stdout(), "{}", lab_list(Wording::new(&catalogue), look, &entries))?;
    Ok(ExitStatus::SUCCESS)
}
