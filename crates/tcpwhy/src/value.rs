//! Values of options that a library reads.

use std::str::FromStr;

use tcpwhy_model::Explained;

use crate::message::Failure;

/// Parses `text` as a `T`. Clap drops the error's type, so the error is converted to its message here.
pub(crate) fn read<T: FromStr<Err: Explained>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error: T::Err| error.message().into())
}
