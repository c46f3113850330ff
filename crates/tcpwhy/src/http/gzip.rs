//! Compressed responses.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::HeaderMap;
use hyper::body::Bytes;
use hyper::header;

/// Least bytes to compress: shorter content fits one packet uncompressed.
const LEAST_BYTES: usize = 1400;

/// Whether a client accepts `gzip` (RFC 9110 § 12.5.3). Without the header, content is sent uncompressed.
pub(crate) fn accepts(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut any = None;
    for coding in codings.flat_map(|value| value.split(',')) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = parameters.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim().parse::<f32>().unwrap_or(0.0))
        });
        let is_accepted = weight.is_none_or(|weight| weight > 0.0);
        match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => return is_accepted,
            "*" => any = Some(is_accepted),
            _ => {}
        }
    }
    any.unwrap_or(false)
}

/// `content` compressed; `None` if that would save too little.
pub(crate) fn compress(content: &[u8]) -> Option<Bytes> {
    if content.len() < LEAST_BYTES {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 4), Compression::default());
    encoder.write_all(content).ok()?;
    let packed = encoder.finish().ok()?;
    (packed.len() < content.len()).then(|| Bytes::from(packed))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn a_client_says_what_it_takes() {
        for (values, expected) in [
            (&[][..], false),
            (&["gzip, deflate, br, zstd"], true),
            (&["GZIP"], true),
            (&["br", "gzip;q=0.5"], true),
            (&["gzip;q=0"], false),
            (&["gzip; q=0.000, *"], false),
            (&["*"], true),
            (&["*;q=0"], false),
            (&["identity"], false),
            (&["gzip;q=x"], false),
            (&["notgzip, ,;;="], false),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            }
            assert_eq!(accepts(&headers), expected, "{values:?}");
        }
    }

    #[test]
    fn only_what_gets_smaller_is_compressed() {
        assert!(compress(b"short").is_none());
        let text = b"tcpwhy ".repeat(1000);
        let packed = compress(&text).unwrap();
        assert!(packed.len() * 10 < text.len());
        let mut read = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut read).unwrap();
        assert_eq!(read, text);
        // A xorshift's bytes have no pattern.
        let mut state = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[0]
        })
        .take(4000)
        .collect();
        assert!(compress(&noise).is_none());
    }
}
