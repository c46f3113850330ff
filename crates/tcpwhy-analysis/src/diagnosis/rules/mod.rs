//! One rule, one file: what it says, how it is detected, its fixtures.

mod send_buffer_plateau;

use super::Rule;

/// Every rule, in the order in which they are listed to people.
pub static RULES: &[&Rule] = &[&send_buffer_plateau::RULE];
