/// Rounds to three decimals, as confidences and shares are shown: further digits are artefacts of single
/// precision.
pub fn rounded(confidence: f64) -> f64 {
    (confidence * 1e3).round() / 1e3
}
