//! The permissions of a scenario, which depend on its origin.
//!
//! A scenario may run other programs and change settings of the whole machine. The bundled ones are part of
//! this program, which the user trusts already. A file is a program by somebody else. As root, it may do so
//! only with `--allow-programs`.

use std::ffi::OsString;
use std::ops::Deref;

use clap::Args as ClapArgs;
use tcpwhy_model::foreign::quoted;
use tcpwhy_report::{Args, Wording};
use tcpwhy_rights::is_privileged;
use tcpwhy_scenario::Scenario;

use crate::environment::typed;
use crate::message;
use crate::message::failure;
use crate::scenarios::{Named, Origin};
use crate::wrong::{Result, bail};

/// The permissions of scenario files.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct PermissionArgs {
    /// As root: let scenario files run their programs and change settings of the whole machine (those that
    /// come with tcpwhy may)
    #[arg(long, help_heading = "run")]
    allow_programs: bool,
}

impl PermissionArgs {
    /// No permissions.
    pub(super) const NOTHING: Self = Self { allow_programs: false };
}

impl Origin {
    /// Whether the scenario is made by this program alone.
    const fn is_ours(self) -> bool {
        matches!(self, Self::Bundled | Self::Drawn)
    }
}

/// A scenario that may be run. Only [`Named::permit`] creates one.
#[derive(Clone, Debug)]
pub(super) struct Permitted(Scenario);

impl Deref for Permitted {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        &self.0
    }
}

/// The privileges of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    /// Root, or a process with capabilities.
    Privileged,
    /// An ordinary user, who may run any program anyway and cannot change settings of the machine.
    Ordinary,
}

impl Named {
    /// Checks the permission. The programs and settings of a file are printed on standard error before the
    /// run.
    ///
    /// # Errors If the scenario needs a permission that it lacks; the error names it.
    pub(super) fn permit(self, args: PermissionArgs, wording: Wording<'_>) -> Result<Permitted> {
        let caller = if is_privileged() { Caller::Privileged } else { Caller::Ordinary };
        if let Some(powers) = self.powers_used(caller, args)? {
            let words = Args::new().text("name", &self.scenario.name).text("powers", powers);
            message::say(wording.catalogue().text("lab-powers", &words));
        }
        Ok(Permitted(self.scenario))
    }

    /// The programs and settings to report for this scenario.
    fn powers_used(&self, caller: Caller, args: PermissionArgs) -> Result<Option<String>> {
        let powers = self.scenario.powers();
        if self.origin.is_ours() || powers.is_empty() {
            return Ok(None);
        }
        if caller == Caller::Privileged && !args.allow_programs {
            bail!(
                failure("powers-not-allowed")
                    .with("scenario", quoted(&self.word))
                    .with("powers", powers.to_string())
                    .with("command", command_to_allow(typed()))
            );
        }
        Ok(Some(powers.to_string()))
    }
}

/// The command line for a shell, with the option that allows programs added.
fn command_to_allow(typed: impl Iterator<Item = OsString>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    let quoted = |word: OsString| {
        let word = word.to_string_lossy().into_owned();
        if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    typed.map(quoted).chain(["--allow-programs".to_owned()]).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_type_is_whole() {
        let words = ["tcpwhy", "lab", "run", "my file's.toml", "--out=/tmp/x"].map(OsString::from);
        let command = command_to_allow(words.into_iter());
        assert_eq!(command, r"tcpwhy lab run 'my file'\''s.toml' --out=/tmp/x --allow-programs");
    }

    fn named(origin: Origin, more: &str) -> Named {
        let work = if more.contains("[work") { "" } else { "[work.stream]\nphases = [{ bytes = \"1MB\" }]" };
        let text = format!("expect = {{ verdict = [] }}\n{more}\n{work}");
        Named { word: "mine.toml".to_owned(), origin, scenario: Scenario::from_toml("mine", &text).unwrap() }
    }

    const PROGRAMS: &str = r#"
        [work.application]
        port = 80
        packages = []
        server = { needs = [], run = "touch /x" }
        client = { needs = [], run = "true" }
    "#;
    const SETTING: &str = r#"sender = { sysctl = { "net.ipv4.tcp_mem" = "1 2 3" } }"#;
    const OWN_SETTING: &str = r#"sender = { sysctl = { "net.ipv4.tcp_wmem" = "1 2 3" } }"#;

    #[test]
    fn a_file_does_as_root_what_it_was_allowed_to() {
        let (no, yes) = (PermissionArgs { allow_programs: false }, PermissionArgs { allow_programs: true });
        for (more, shown) in [(PROGRAMS, r#"server: "touch /x""#), (SETTING, r#"tcp_mem = "1 2 3""#)] {
            for origin in [Origin::File, Origin::Rebuilt] {
                let named = named(origin, more);
                let refusal = named.powers_used(Caller::Privileged, no).unwrap_err().to_string();
                assert!(refusal.contains(shown) && refusal.contains("--allow-programs"), "{refusal}");
                assert!(refusal.contains("mine.toml") && !refusal.contains('\n'), "{refusal}");
                for (caller, args) in [(Caller::Privileged, yes), (Caller::Ordinary, no), (Caller::Ordinary, yes)] {
                    let said = named.powers_used(caller, args).unwrap().unwrap();
                    assert!(said.contains(shown), "{said}");
                }
            }
            for origin in [Origin::Bundled, Origin::Drawn] {
                assert_eq!(named(origin, more).powers_used(Caller::Privileged, no).unwrap(), None);
            }
        }
        assert_eq!(named(Origin::File, OWN_SETTING).powers_used(Caller::Privileged, no).unwrap(), None);
        assert_eq!(named(Origin::File, "").powers_used(Caller::Privileged, no).unwrap(), None);
    }
}
