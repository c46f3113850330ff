//! Weighted values.

/// A value and its weight.
pub(crate) type Weighted = (f64, f64);

/// The smallest value that reaches `share` of the weight; 0 without values.
pub(crate) fn quantile(values: impl IntoIterator<Item = Weighted>, share: f64) -> f64 {
    let mut sorted: Vec<Weighted> = values.into_iter().collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = sorted.iter().map(|value| value.1).sum();
    let mut sum = 0.0;
    let found = sorted.iter().find(|value| {
        sum += value.1;
        sum >= share * total
    });
    found.or(sorted.last()).map_or(0.0, |value| value.0)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn heavier_values_count_more() {
        let values = [(3.0, 1.0), (1.0, 1.0), (2.0, 8.0)];
        let found = [0.0, 0.1, 0.11, 0.5, 0.9, 0.91, 1.0].map(|share| quantile(values, share) as u64);
        assert_eq!(found, [1, 1, 2, 2, 2, 3, 3]);
        assert_eq!(quantile([], 0.5) as u64, 0);
    }
}
