//! The languages of answers.

use std::sync::LazyLock;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tcpwhy_report::{Catalogue, Language, Wording};

/// The words of a language, which the whole process shares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words(Language);

static ENGLISH: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(Language::English));
static SIMPLIFIED_CHINESE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(Language::SimplifiedChinese));

impl Words {
    /// The language asked for.
    pub(crate) const fn language(self) -> Language {
        self.0
    }

    /// Its messages.
    pub(crate) fn catalogue(self) -> &'static Catalogue {
        match self.0 {
            Language::English => &ENGLISH,
            Language::SimplifiedChinese => &SIMPLIFIED_CHINESE,
        }
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
        match tag.as_str() {
            "en" => Ok(Self(Language::English)),
            "zh" | "zh-CN" | "zh_CN" => Ok(Self(Language::SimplifiedChinese)),
            _ => Err(PyValueError::new_err(format!("lang: 'en' or 'zh-CN' is expected, not {tag:?}"))),
        }
    }
}
