//! Limit on the size of calls of the two programs.

use tcpwhy_model::Message;

use super::Bytes;
use super::refusal::{Checked, Refusal};

/// Largest size: the two programs allocate buffers as large as their calls.
const LARGEST_CALL: Bytes = Bytes(64 << 20);

pub(super) fn check_call(key: &str, size: Bytes) -> Checked {
    if (Bytes(1)..=LARGEST_CALL).contains(&size) {
        Ok(())
    } else {
        Err(Refusal::of(
            key,
            Message::new("scenario-call").with("most", LARGEST_CALL.to_string()).with("size", size.to_string()),
        ))
    }
}
