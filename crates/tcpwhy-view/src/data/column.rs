//! Columns of numbers as the page reads them: the smallest exact type, little-endian, in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

use crate::chart::UNKNOWN;

/// A column as `TYPE:BASE64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column(String);

impl Column {
    /// A column of whole numbers; [`UNKNOWN`] becomes the largest value of the type.
    pub(crate) fn integers(values: impl Iterator<Item = u64> + Clone) -> Self {
        let largest = values.clone().filter(|&v| v != UNKNOWN).max().unwrap_or(0);
        match largest {
            0..0xff => encode("u8", values.flat_map(|v| (v.min(0xff) as u8).to_le_bytes())),
            0xff..0xffff => encode("u16", values.flat_map(|v| (v.min(0xffff) as u16).to_le_bytes())),
            0xffff..0xffff_ffff => encode("u32", values.flat_map(|v| (v.min(0xffff_ffff) as u32).to_le_bytes())),
            // `f64` is exact up to 2⁵³; no stream is longer.
            _ => Self::reals(values.map(|v| if v == UNKNOWN { f64::NAN } else { v as f64 })),
        }
    }

    /// A column of real numbers; NaN means unknown.
    pub(crate) fn reals(values: impl Iterator<Item = f64>) -> Self {
        encode("f64", values.flat_map(f64::to_le_bytes))
    }

    /// A column of seconds, from nanoseconds.
    pub fn seconds(nanos: impl Iterator<Item = i64>) -> Self {
        Self::reals(nanos.map(|n| n as f64 / 1e9))
    }

    /// A column of seconds with seven digits, from short durations in nanoseconds.
    pub(crate) fn durations(nanos: impl Iterator<Item = u64>) -> Self {
        let seconds = nanos.map(|n| if n == UNKNOWN { f32::NAN } else { (n as f64 / 1e9) as f32 });
        encode("f32", seconds.flat_map(f32::to_le_bytes))
    }

    /// A column of measured values with seven digits; NaN means unknown.
    pub fn measures(values: impl Iterator<Item = f32>) -> Self {
        encode("f32", values.flat_map(f32::to_le_bytes))
    }

    /// The column as it is in JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

fn encode(kind: &str, bytes: impl Iterator<Item = u8>) -> Column {
    let bytes: Vec<u8> = bytes.collect();
    let mut text = String::with_capacity(kind.len() + 1 + bytes.len().div_ceil(3) * 4);
    text.push_str(kind);
    text.push(':');
    STANDARD.encode_string(&bytes, &mut text);
    Column(text)
}

#[cfg(test)]
impl schemars::JsonSchema for Column {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Column".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "One column of a table: `TYPE:BASE64`, little-endian, as many values as the table has `rows`. `u8`, \
                `u16`, `u32`: unsigned, the largest value means unknown. `f32`, `f64`: NaN means unknown. The writer takes the \
                smallest type that is exact; the reader must take any type for any column.",
            "type": "string",
            "pattern": "^(u8|u16|u32|f32|f64):",
            "tsType": "`${'u8' | 'u16' | 'u32' | 'f32' | 'f64'}:${string}`",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[u64], expected: &str) {
        assert_eq!(Column::integers(values.iter().copied()).as_str(), expected);
    }

    #[test]
    fn the_smallest_type_that_leaves_room_for_unknown() {
        check(&[], "u8:");
        check(&[0, 1, 254, UNKNOWN], "u8:AAH+/w==");
        check(&[255], "u16:/wA=");
        check(&[1, UNKNOWN, 300], "u16:AQD//ywB");
        check(&[65_535], "u32://8AAA==");
        check(&[0xffff_ffff], "f64:AADg////70E=");
    }

    #[test]
    fn times() {
        assert_eq!(Column::seconds([500_000_000].into_iter()).as_str(), "f64:AAAAAAAA4D8=");
        assert_eq!(Column::durations([250_000_000].into_iter()).as_str(), "f32:AACAPg==");
    }
}
