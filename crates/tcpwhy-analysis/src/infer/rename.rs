//! Renaming of time by the hypotheses about a whole direction.

use super::direction::{Concluded, Direction};
use super::hypotheses::direction::DIRECTION;
use super::hypotheses::scope::registered;

/// Asks all hypotheses in turn. Unlike those about slots, each one works on the result of the previous ones.
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
