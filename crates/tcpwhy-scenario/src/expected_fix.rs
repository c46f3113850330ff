//! Which fix removes the cause.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tcpwhy_advice::FixId;
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Fix, Message};

/// What the first three lines may propose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String"))]
pub enum ExpectedFix {
    /// Nothing is to be changed.
    Nothing,
    /// A fix that removes the cause.
    Fix(FixId),
}

/// How nothing is written.
const NOTHING: &str = "none";

impl ExpectedFix {
    /// The fix with this id; `None` if there is none.
    pub fn with_id(id: &str) -> Option<Self> {
        FixId::from_id(id).map(Self::Fix)
    }

    /// Whether a proposal (`None`: nothing is proposed) is this.
    pub fn covers(self, proposed: Option<&Fix>) -> bool {
        match (self, proposed) {
            (Self::Nothing, None) => true,
            (Self::Fix(id), Some(fix)) => id.is_of(fix),
            _ => false,
        }
    }

    /// Its id; `None` where nothing is to be changed.
    pub const fn id(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Fix(id) => Some(id.id()),
        }
    }
}

impl FromStr for ExpectedFix {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        if text == NOTHING {
            return Ok(Self::Nothing);
        }
        Self::with_id(text).ok_or_else(|| Message::new("scenario-fix").with("name", quoted(text)))
    }
}

impl TryFrom<String> for ExpectedFix {
    type Error = Message;

    fn try_from(text: String) -> Result<Self, Message> {
        text.parse()
    }
}

impl fmt::Display for ExpectedFix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id().unwrap_or(NOTHING))
    }
}

impl From<ExpectedFix> for String {
    fn from(expected: ExpectedFix) -> Self {
        expected.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_is_covered_by_its_id_alone() {
        let nodelay: ExpectedFix = "set-tcp-nodelay".parse().unwrap();
        let nothing: ExpectedFix = "none".parse().unwrap();
        let (right, wrong) = (tcpwhy_advice::set_tcp_nodelay(), tcpwhy_advice::coalesce_writes());
        assert!(nodelay.covers(Some(&right)) && !nodelay.covers(Some(&wrong)) && !nodelay.covers(None));
        assert!(nothing.covers(None) && !nothing.covers(Some(&right)));
        assert_eq!(nodelay.to_string(), "set-tcp-nodelay");
        assert_eq!("nodelay".parse::<ExpectedFix>(), Err(Message::new("scenario-fix").with("name", quoted("nodelay"))));
    }
}
