//! What hypotheses about a whole direction rename.

use super::direction::{Concluded, Direction};
use super::hypotheses::direction::DIRECTION;
use super::hypotheses::scope::registered;

/// Asks all hypotheses: unlike those of slots, each sees what those before it have left.
pub(super) fn conclude(mut direction: Direction<'_>) -> Concluded {
    for judge in registered(DIRECTION) {
        if let Some((reason, renaming)) = judge.judge(&direction) {
            direction = direction.renamed(reason, renaming);
        }
    }
    direction.concluded()
}

#[cfg(test)]
mod tests;
