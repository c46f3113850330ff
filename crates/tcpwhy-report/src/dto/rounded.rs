/// Three decimals, as confidences and shares are shown: the rest is an artefact of single precision.
pub fn rounded(confidence: f64) -> f64 {
    (confidence * 1e3).round() / 1e3
}
