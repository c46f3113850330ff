//! Values of options that a library reads.

use std::str::FromStr;

use tcpwhy_model::Explained;

use crate::message::Failure;

/// What is typed, as a `T`: clap keeps the error without its type, so it takes its message along.
pub(crate) fn read<T: FromStr<Err: Explained>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error: T::Err| error.message().into())
}
