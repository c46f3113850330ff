//! Whether the kernel's BPF programs measure or sockets are sampled, and the capabilities that this needs.

use clap::ValueEnum;

use super::accounts::{Accounts, WhySampled};
use super::clock::Clock;
use super::watch::Watch;
use crate::message::failure;
use crate::rights::{self, Capability};
use crate::wrong::{Context as _, Result};

/// The source of the kernel's data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    #[default]
    Auto,
    Bpf,
    Samples,
}

impl Mode {
    /// Attaches the BPF programs, or returns the reason why only samples are taken. Fails if BPF was
    /// requested and is not available.
    pub(crate) fn attach(self, clock: Clock, watches_settings: bool) -> Result<Result<Accounts, WhySampled>> {
        let attach = || Accounts::attach(clock.offset, watches_settings);
        Ok(match self {
            Self::Samples => Err(WhySampled::Asked),
            Self::Auto => attach().map_err(WhySampled::Refused),
            Self::Bpf => Ok(attach().context(failure("no-accounts"))?),
        })
    }
}

/// Drops all capabilities except those for reading the names of processes, and `CAP_BPF` where reading the
/// measurements needs it.
pub(crate) fn give_up_rights(watch: &mut Watch, looks_into_all: bool) -> Result<()> {
    let mut grant = rights::watching(looks_into_all);
    if let Some(accounts) = watch.accounts_mut()
        && !tcpwhy_rights::try_with(&grant.capabilities, || accounts.try_telling())?
    {
        grant.capabilities.push(Capability::Bpf);
    }
    rights::confine(&grant)
}
