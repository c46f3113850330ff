//! Cube roots as in Linux (`cubic_root`): an initial estimate from the highest bits, and one step of Newton's
//! method in integers. They are 0.1 % too small, which affects CUBIC's curve.

/// Number of highest bits for the estimate.
const GUESSED_BITS: u32 = 6;
/// Binary places of the estimate.
const PLACES: u32 = 6;
/// The kernel's estimates are a table that was adjusted by hand. This constant and the next approximate its
/// excess over the root of the highest bits. The remaining difference is 0.02 % after the step.
const ABOVE: u64 = 6;
const ABOVE_PART: u64 = 12;
/// A third, in 1024ths.
const THIRD: u64 = 341;

/// The largest whole number whose cube is not above `value`.
fn exact(value: u64) -> u64 {
    // The root of the largest value, plus one.
    let (mut low, mut high) = (0_u64, 2_642_246);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if middle * middle * middle <= value { low = middle } else { high = middle }
    }
    low
}

/// The cube root of a value, accurate to 0.2 %.
pub(super) fn cube_root(value: u64) -> u64 {
    let bits = u64::BITS - value.leading_zeros();
    if bits <= GUESSED_BITS {
        // Rounds to nearest: the root of eight times the value is twice as large.
        return exact(8 * value).div_ceil(2);
    }
    // 84/256 is about one third.
    let places = ((bits * 84) >> 8) - 1;
    let highest = value >> (3 * places);
    let guess = exact(highest << (3 * PLACES)) + ABOVE + highest / ABOVE_PART;
    let guess = (guess << places) >> PLACES;
    let step = 2 * guess + value / (guess * (guess - 1));
    (step * THIRD) >> 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_and_their_neighbours() {
        for root in [0, 1, 2, 3, 100, 65_535, 2_642_244] {
            let cube: u64 = root * root * root;
            assert_eq!(exact(cube), root);
            assert_eq!(exact(cube + 1), root.max(u64::from(root == 0)));
        }
        assert_eq!(exact(u64::MAX), 2_642_245);
    }

    /// Results of the kernel's function.
    #[test]
    fn roots_are_those_of_the_kernel() {
        let factor: u64 = (1 << 40) / 410;
        for (segments, root) in ROOTS {
            let found = cube_root(factor * segments);
            assert!(found.abs_diff(root) <= root / 1_000, "{segments}: {found}, not {root}");
        }
        assert_eq!([0, 1, 3, 4, 15, 16, 63].map(cube_root), [0, 1, 1, 2, 2, 3, 4]);
    }

    const ROOTS: [(u64, u64); 10] = [
        (1, 1_388),
        (2, 1_750),
        (7, 2_657),
        (20, 3_770),
        (50, 5_120),
        (100, 6_451),
        (333, 9_623),
        (500, 11_027),
        (1_000, 13_897),
        (2_500, 18_864),
    ];
}
