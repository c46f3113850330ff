//! How the kernel is asked, with the rights that this takes.

use clap::ValueEnum;

use super::accounts::{Accounts, WhySampled};
use super::clock::Clock;
use super::watch::Watch;
use crate::message::failure;
use crate::rights::{self, Capability};
use crate::wrong::{Context as _, Result};

/// How the kernel is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    #[default]
    Auto,
    Bpf,
    Samples,
}

impl Mode {
    /// The kernel's accounts, or why there are only samples. Fails where accounts are asked for and there are
    /// none.
    pub(crate) fn attach(self, clock: Clock, watches_settings: bool) -> Result<Result<Accounts, WhySampled>> {
        let attach = || Accounts::attach(clock.offset, watches_settings);
        Ok(match self {
            Self::Samples => Err(WhySampled::Asked),
            Self::Auto => attach().map_err(WhySampled::Refused),
            Self::Bpf => Ok(attach().context(failure("no-accounts"))?),
        })
    }
}

/// Keeps what the names of processes need, and what asking the kernel's accounts needs where that is a
/// capability.
pub(crate) fn give_up_rights(watch: &mut Watch, looks_into_all: bool) -> Result<()> {
    let mut grant = rights::watching(looks_into_all);
    if let Some(accounts) = watch.accounts_mut()
        && !tcpwhy_rights::try_with(&grant.capabilities, || accounts.try_telling())?
    {
        grant.capabilities.push(Capability::Bpf);
    }
    rights::confine(&grant)
}
