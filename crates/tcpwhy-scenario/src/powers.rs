//! Effects of a scenario besides the traffic of its own two namespaces.

use std::collections::BTreeMap;
use std::fmt;

use super::{Application, Scenario, Work};

/// Scripts that a scenario runs, and settings of the whole machine that it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Powers<'a> {
    /// Shell scripts, in the order in which they are run.
    pub scripts: Vec<Script<'a>>,
    /// Values of settings by name.
    pub settings: BTreeMap<&'a str, &'a str>,
}

/// A shell script of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script<'a> {
    /// The program that runs it.
    pub by: Party,
    /// Its text.
    pub text: &'a str,
}

/// The two programs of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The program that listens.
    Server,
    /// The program that opens the connection.
    Client,
}

impl Scenario {
    /// Effects besides the traffic of its own two namespaces; most scenarios have none.
    pub fn powers(&self) -> Powers<'_> {
        let scripts = match &self.work {
            Work::Application(Application { server, client, .. }) => [
                (Party::Server, &server.prepare),
                (Party::Client, &client.prepare),
                (Party::Server, &server.run),
                (Party::Server, &server.ready),
                (Party::Client, &client.run),
            ]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(by, text)| Script { by, text })
            .collect(),
            Work::Stream(_) | Work::Turns(_) | Work::Talk(_) => Vec::new(),
        };
        Powers { scripts, settings: self.machine_wide() }
    }
}

impl Powers<'_> {
    /// Whether there are no scripts and no settings.
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty() && self.settings.is_empty()
    }
}

/// One line with each whole script, so that its end is visible, and each setting with its value. Characters
/// that are not plain text are escaped.
impl fmt::Display for Powers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scripts = self.scripts.iter().map(|Script { by, text }| {
            let whose = match by {
                Party::Server => "server",
                Party::Client => "client",
            };
            format!("{whose}: {:?}", text.trim())
        });
        let settings = self.settings.iter().map(|(name, value)| format!("the whole machine's {name} = {value:?}"));
        for (index, part) in scripts.chain(settings).enumerate() {
            let gap = if index == 0 { "" } else { "; " };
            write!(f, "{gap}{part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;

    #[test]
    fn programs_and_settings_are_told_in_a_line() {
        assert!(bundled::get("sndbuf-16k").unwrap().powers().is_empty());
        let text = r#"
            expect = { verdict = ["none"] }
            sender = { sysctl = { "net.core.wmem_max" = "131072", "net.ipv4.tcp_sack" = "0" } }
            [work.application]
            port = 80
            packages = []
            server = { needs = [], prepare = "touch x\ntouch y", run = "exec server" }
            client = { needs = [], run = "exec curl http://$SERVER" }
        "#;
        let scenario = Scenario::from_toml("mine", text).unwrap();
        assert_eq!(
            scenario.powers().to_string(),
            r#"server: "touch x\ntouch y"; server: "exec server"; client: "exec curl http://$SERVER"; the whole machine's net.core.wmem_max = "131072""#
        );
        let long = Scenario::from_toml("mine", &text.replace("exec server", &"é".repeat(500))).unwrap();
        assert!(long.powers().to_string().contains(&"é".repeat(500)), "no end of a script is hidden");
    }
}
