//! Edit distance between a typed word and a known one.

/// Letters to insert, delete, replace or swap with their neighbour between two words (optimal string
/// alignment).
pub(crate) fn errors(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Rows of the table, one for each beginning of `a`.
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for (i, letter) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let mut least = (rows[i][j + 1] + 1).min(row[j] + 1).min(rows[i][j] + usize::from(letter != other));
            if i > 0 && j > 0 && *letter == b[j - 1] && a[i - 1] == *other {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wrong_letter_counts() {
        for (a, b, expected) in [("port", "port", 0), ("prot", "port", 1), ("proces", "process", 1), ("", "port", 4)] {
            assert_eq!((errors(a, b), errors(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
