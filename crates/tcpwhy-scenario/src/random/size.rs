//! Sizes of buffers and writes.

use super::dice::Dice;

pub(super) const KIB: f64 = 1024.0;

/// Size of a program's buffer or write, with the round numbers that people choose.
pub(super) fn size(dice: &mut Dice, low: f64, high: f64) -> u64 {
    let drawn = dice.log(low, high);
    if dice.percent(60) { 1 << (drawn.log2().round() as u32) } else { drawn as u64 }
}
