//! `--parquet` and `--arrow` in a build without tables.

use std::convert::Infallible;

use tcpwhy_report::Wording;

use super::Sink;
use crate::explain_args::ExplainArgs;
use crate::many::HaveRows;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Fails: this build has no tables.
pub(crate) fn columns() -> Result<String> {
    bail!(failure("no-tables-here"))
}

/// Never created in this build.
pub(crate) struct Destination(Infallible);

impl Destination {
    /// Returns `None`; fails if tables are requested.
    pub(crate) fn prepare(args: &ExplainArgs) -> Result<Option<Self>> {
        if args.arrow || args.parquet.is_some() {
            bail!(failure("no-tables-here"));
        }
        Ok(None)
    }

    pub(crate) fn hand_over(self) -> Result<Self> {
        match self.0 {}
    }

    pub(crate) fn have_rows(&self) -> HaveRows {
        match self.0 {}
    }

    pub(crate) fn sink<'a>(self, _: &'a ExplainArgs, _: Wording<'a>) -> Result<Box<dyn Sink + 'a>> {
        match self.0 {}
    }
}
