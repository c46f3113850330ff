//! The argument `anonymize`.

use std::sync::Arc;

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use tcpwhy_model::Message;
use tcpwhy_report::{Anonymizer, KEY_LEN};

use crate::errors::{bad_argument, raised};
use crate::language::Words;

/// Meaning of `anonymize=`: nothing (`None`, `False`), a random key for this call alone (`True`), or the key
/// derived from a passphrase (`str`, `bytes`).
#[derive(Clone, Default)]
pub(crate) struct Anonymize(pub(crate) Option<Arc<Anonymizer>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Anonymize {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self(None));
        }
        if let Ok(is_wanted) = object.extract::<bool>() {
            return if is_wanted { random() } else { Ok(Self(None)) };
        }
        if let Ok(passphrase) = object.extract::<String>() {
            return of_passphrase(object.py(), passphrase.as_bytes());
        }
        let passphrase: PyBackedBytes =
            object.extract().map_err(|_| raised::<PyTypeError>(Words::default(), &Message::new("python-anonymize")))?;
        of_passphrase(object.py(), &passphrase)
    }
}

fn random() -> PyResult<Anonymize> {
    let mut key = [0; KEY_LEN];
    getrandom::fill(&mut key).map_err(|error| PyOSError::new_err(error.to_string()))?;
    Ok(Anonymize(Some(Arc::new(Anonymizer::new(key)))))
}

/// The key is derived by Argon2id, which takes 0.1 s.
fn of_passphrase(py: Python<'_>, passphrase: &[u8]) -> PyResult<Anonymize> {
    let anonymizer = py.detach(|| Anonymizer::from_passphrase(passphrase));
    let anonymizer = anonymizer.map_err(|error| bad_argument("anonymize", &error, Words::default()))?;
    Ok(Anonymize(Some(Arc::new(anonymizer))))
}
