//! The lowest of many values, in bounded memory and whatever their order.

/// The lowest of the added values. Adding costs little more than a push, because the higher half is removed
/// only occasionally.
#[derive(Clone, Debug)]
pub(crate) struct Lowest<T> {
    most: usize,
    values: Vec<T>,
}

impl<T: Ord + Clone> Lowest<T> {
    /// Creates a value that keeps the `most` lowest values.
    pub(crate) const fn new(most: usize) -> Self {
        Self { most, values: Vec::new() }
    }

    pub(crate) fn add(&mut self, value: T) {
        self.values.push(value);
        if self.values.len() >= self.most.saturating_mul(2) {
            self.values.select_nth_unstable(self.most);
            self.values.truncate(self.most);
        }
    }

    /// Returns the values, in order.
    pub(crate) fn sorted(&self) -> Vec<T> {
        let mut values = self.values.clone();
        values.sort_unstable();
        values.truncate(self.most);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_matter() {
        let with = |values: &mut dyn Iterator<Item = u32>| {
            let mut lowest = Lowest::new(3);
            values.for_each(|value| lowest.add(value));
            assert!(lowest.values.len() < 6);
            lowest.sorted()
        };
        assert_eq!(with(&mut (0..100)), [0, 1, 2]);
        assert_eq!(with(&mut (0..100).rev()), [0, 1, 2]);
        assert_eq!(with(&mut [7, 7, 5].into_iter()), [5, 7, 7]);
    }
}
