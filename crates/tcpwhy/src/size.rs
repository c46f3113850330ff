//! Sizes as typed: `1500`, `64k`, `10MB`, `1GiB`.

use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: f64 = number.parse().map_err(|_| "expected a size such as 1500, 64k, 10MB or 1GiB".to_owned())?;
        let factor: f64 = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kb" => 1e3,
            "m" | "mb" => 1e6,
            "g" | "gb" => 1e9,
            "t" | "tb" => 1e12,
            "ki" | "kib" => 1024.0,
            "mi" | "mib" => 1024.0 * 1024.0,
            "gi" | "gib" => 1024.0 * 1024.0 * 1024.0,
            other => {
                return Err(format!("unknown unit {other:?}: use k, M, G (powers of 1000) or Ki, Mi, Gi (of 1024)"));
            }
        };
        Ok(Self((number * factor) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in
            [("1500", 1500), ("64k", 64_000), ("1.5MB", 1_500_000), ("1GiB", 1 << 30), ("10 kib", 10_240)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        assert!("".parse::<Size>().is_err());
        assert!("10x".parse::<Size>().is_err());
        assert!("-1".parse::<Size>().is_err());
    }
}
