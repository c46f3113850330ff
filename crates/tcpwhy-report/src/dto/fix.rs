//! Fixes: a few different texts, which occur in findings of thousands of connections.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tcpwhy_model as model;

use crate::dto::{Id, Presentation};

/// Something to change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Fix {
    /// Stable kebab-case id.
    pub(crate) id: Id,
    /// `sending-application`, `receiving-application`, `sending-host`, `receiving-host`, `network` or
    /// `capture`.
    #[serde(rename = "where")]
    pub(crate) place: Id,
    /// `ready`: its lines can be pasted. `placeholders`: values are missing. `conditional`: it depends on
    /// something that packets do not show. `measure`: it changes nothing, but a measurement shows what to do.
    pub(crate) readiness: Id,
    /// Words in capitals in `lines` that the reader replaces; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<Vec<Id>>,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Exact lines of code or configuration; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<Vec<String>>,
    /// For each of `lines` the languages and servers that it is for, as options of `--code` (`java`,
    /// `nginx`). Empty for a command for every host. Absent if all lines are such commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line_programs: Option<Vec<Vec<Id>>>,
    /// `true` if it removes another cause than the fix before it, and the packets do not show which cause is
    /// the right one. One of the two fixes is enough. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rival: Option<bool>,
}

impl Fix {
    fn new(fix: &model::Fix, readiness: model::Readiness, presentation: Presentation<'_>) -> Self {
        let site = presentation.site.as_ref();
        let missing = fix.missing(site.map(|site| &site.ends));
        Self {
            id: fix.id.into(),
            place: fix.place.id().into(),
            readiness: readiness.id().into(),
            missing: (!missing.is_empty()).then(|| missing.into_iter().map(Id::from).collect()),
            text: presentation.say(|wording| wording.fix(fix)),
            lines: presentation.has_words.then(|| presentation.wording.fix_lines(fix, site)),
            line_programs: presentation.has_words.then(|| line_programs(fix)).flatten(),
            rival: fix.is_rival.then_some(true),
        }
    }
}

/// Programs of each line; `None` if no line is for a language or server.
fn line_programs(fix: &model::Fix) -> Option<Vec<Vec<Id>>> {
    let programs: Vec<Vec<Id>> =
        fix.lines.iter().map(|line| line.audience.programs().map(|program| program.id().into()).collect()).collect();
    programs.iter().any(|programs| !programs.is_empty()).then_some(programs)
}

/// A [`Fix`] of a finding.
#[derive(Clone, Debug)]
pub(crate) enum ToldFix {
    /// Not yet written.
    Plain(Fix),
    /// Already written, without line breaks. Works only with `serde_json`.
    Written(Arc<RawValue>),
}

impl ToldFix {
    pub(super) fn new(fix: &model::Fix, readiness: model::Readiness, presentation: Presentation<'_>) -> Self {
        let made = || Fix::new(fix, readiness, presentation);
        let write = || serde_json::value::to_raw_value(&made());
        let written = presentation.fixes.and_then(|fixes| fixes.written(fix, readiness, write));
        written.map_or_else(|| Self::Plain(made()), Self::Written)
    }
}

impl Serialize for ToldFix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(fix) => fix.serialize(serializer),
            Self::Written(text) => text.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::WrittenFixes;
    use crate::{Catalogue, Language, Site, Wording};

    #[test]
    fn what_was_written_before_is_the_same_text() {
        let catalogue = Catalogue::new(Language::English);
        let written = WrittenFixes::default();
        let plain = Presentation::new(Wording::new(&catalogue));
        let sharing = Presentation { fixes: Some(&written), ..plain };
        for n in 0..WrittenFixes::MOST + 10 {
            let fix = model::Fix::new(
                "raise-so-sndbuf",
                model::FixPlace::SendingApplication,
                vec![format!("a \"{n}\"\t# \u{202e}").into(), "b".into()],
            );
            let [told, again, alone] = [sharing, sharing, plain]
                .map(|form| serde_json::to_string(&ToldFix::new(&fix, model::Readiness::Ready, form)).unwrap());
            assert_eq!((&told, &again), (&alone, &alone));
        }
        assert_eq!(written.by_fix.read().unwrap().len(), WrittenFixes::MOST);
    }

    /// The texts differ if lines depend on the connection, and if the same fix has a rival.
    #[test]
    fn what_was_written_for_another_connection_is_not_taken() {
        let catalogue = Catalogue::new(Language::English);
        let written = WrittenFixes::default();
        let text = |fix: &model::Fix, host: u8, readiness| {
            let [sender, receiver] =
                [1, host].map(|last| model::Endpoint { address: [192, 0, 2, last].into(), port: 443 });
            let ends = model::FixEnds { sender, receiver, is_sender_server: false };
            let plain = Presentation::new(Wording::new(&catalogue));
            let form = Presentation { fixes: Some(&written), site: Some(Site { ends, server: None }), ..plain };
            serde_json::to_string(&ToldFix::new(fix, readiness, form)).unwrap()
        };
        let loss = tcpwhy_advice::fix_loss();
        for host in [7, 8] {
            let told = text(&loss, host, model::Readiness::Measure);
            assert!(told.contains(&format!("-P 443 192.0.2.{host} ")), "{told}");
        }
        assert!(written.by_fix.read().unwrap().is_empty());
        let wmem = tcpwhy_advice::raise_tcp_wmem(1);
        for readiness in [model::Readiness::Ready, model::Readiness::Conditional, model::Readiness::Ready] {
            let told = text(&wmem, 7, readiness);
            assert!(told.contains(&format!("\"readiness\":\"{}\"", readiness.id())), "{told}");
        }
        assert_eq!(written.by_fix.read().unwrap().len(), 1);
    }
}
