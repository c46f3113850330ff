//! The languages of messages.

use std::sync::OnceLock;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tcpwhy_model::Message;
use tcpwhy_model::foreign::quoted;
use tcpwhy_report::{Catalogue, Language, Wording};

/// The messages of a language, shared by the whole process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words(Language);

/// The catalogues in the order of [`Language::ALL`], each loaded at its first use.
static CATALOGUES: [OnceLock<Catalogue>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];

impl Words {
    /// The chosen language.
    pub(crate) const fn language(self) -> Language {
        self.0
    }

    /// Its messages.
    pub(crate) fn catalogue(self) -> &'static Catalogue {
        CATALOGUES[self.0 as usize].get_or_init(|| Catalogue::new(self.0))
    }

    /// Its sentences.
    pub(crate) fn wording(self) -> Wording<'static> {
        Wording::new(self.catalogue())
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Words {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let tag: String = object.extract()?;
        let unknown = || {
            let known = Language::ALL.map(|language| format!("'{}'", language.tag())).join(" or ");
            let message = Message::new("python-lang").with("known", known).with("given", quoted(&tag));
            PyValueError::new_err(Self::default().catalogue().message(&message))
        };
        Language::from_tag(&tag).map(Self).ok_or_else(unknown)
    }
}
