//! Whole numbers on the command line.

use std::ops::RangeInclusive;

use tcpwhy_model::Explained as _;

use crate::message::{Failure, failure};

/// A parser for a number within `range`.
pub(crate) fn within<T>(
    range: RangeInclusive<i64>,
) -> impl Fn(&str) -> Result<T, Failure> + Clone + Send + Sync + 'static
where
    T: TryFrom<i64>,
{
    move |text| {
        let number: i64 = text.parse().map_err(|error: std::num::ParseIntError| error.message())?;
        let outside = || {
            failure("number-range")
                .with("value", number.to_string())
                .with("least", range.start().to_string())
                .with("most", range.end().to_string())
        };
        if !range.contains(&number) {
            return Err(outside());
        }
        T::try_from(number).map_err(|_| outside())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let read = |text| within::<u16>(1..=20)(text).map_err(|error| error.to_string());
        assert_eq!(read("20"), Ok(20));
        assert_eq!(read("21"), Err("expected a whole number from 1 to 20, not 21".to_owned()));
        assert_eq!(read("x"), Err("expected a whole number such as 20".to_owned()));
        assert_eq!(read(""), Err("the number is missing; expected a whole number such as 20".to_owned()));
    }
}
