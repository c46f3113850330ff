//! The server's name in the first bytes of a client.

/// No name in the Domain Name System is longer (RFC 1035 §2.3.4).
const LONGEST: usize = 253;
/// A TLS record: type, version, length (RFC 8446 §5.1).
const RECORD_HEADER: usize = 5;
const HANDSHAKE_RECORD: u8 = 22;
const CLIENT_HELLO: u8 = 1;
/// RFC 6066 §3.
const SERVER_NAME: u16 = 0;
const HOST_NAME: u8 = 0;
/// Methods of RFC 9110 §9, and PATCH (RFC 5789).
const METHODS: [&[u8]; 9] =
    [b"GET ", b"HEAD ", b"POST ", b"PUT ", b"DELETE ", b"CONNECT ", b"OPTIONS ", b"TRACE ", b"PATCH "];

/// Result of reading the first bytes of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// The server's name.
    Name(String),
    /// No name, whatever data follows.
    Nothing,
    /// The name may be in later bytes.
    NotYet,
}

/// Reads a client's data from its first byte on: the server name of a TLS `ClientHello`, or the host of an
/// HTTP/1 request.
pub(super) fn read(bytes: &[u8]) -> Said {
    if bytes.first() == Some(&HANDSHAKE_RECORD) {
        return match hello(bytes) {
            Ok(Some(name)) => Said::Name(name),
            Ok(None) => Said::Nothing,
            Err(TooShort) => Said::NotYet,
        };
    }
    if METHODS.iter().any(|method| bytes.starts_with(method)) { host(bytes) } else { Said::Nothing }
}

/// The bytes end before the announced length.
struct TooShort;

/// Returns the server name of a `ClientHello`; `None` if it has no name, or is not a `ClientHello`.
fn hello(mut bytes: &[u8]) -> Result<Option<String>, TooShort> {
    // A hello may be cut into records anywhere.
    let mut handshake = Vec::new();
    while let Some((header, rest)) = bytes.split_first_chunk::<RECORD_HEADER>() {
        // The major version is always 3, whatever version was negotiated.
        if header[0] != HANDSHAKE_RECORD || header[1] != 3 {
            return Ok(None);
        }
        let len = usize::from(u16::from_be_bytes([header[3], header[4]]));
        handshake.extend_from_slice(rest.get(..len).unwrap_or(rest));
        bytes = rest.get(len..).unwrap_or_default();
    }
    if handshake.first().is_some_and(|&kind| kind != CLIENT_HELLO) {
        return Ok(None);
    }
    let mut rest = handshake.as_slice();
    // Kind and length (RFC 8446 §4), version and random number (§4.1.2).
    take(&mut rest, 4 + 2 + 32)?;
    let session = usize::from(take(&mut rest, 1)?[0]);
    take(&mut rest, session)?;
    let suites = take_u16(&mut rest)?;
    take(&mut rest, usize::from(suites))?;
    let compressions = usize::from(take(&mut rest, 1)?[0]);
    take(&mut rest, compressions)?;
    let mut left = usize::from(take_u16(&mut rest)?);
    while left >= 4 {
        let (kind, len) = (take_u16(&mut rest)?, usize::from(take_u16(&mut rest)?));
        let extension = take(&mut rest, len)?;
        if kind == SERVER_NAME {
            return Ok(host_name(extension));
        }
        left = left.saturating_sub(4 + len);
    }
    Ok(None)
}

/// Returns the first host name of a list of server names.
fn host_name(extension: &[u8]) -> Option<String> {
    let mut rest = extension.get(2..)?;
    loop {
        let kind = take(&mut rest, 1).ok()?[0];
        let len = usize::from(take_u16(&mut rest).ok()?);
        let name = take(&mut rest, len).ok()?;
        if kind == HOST_NAME {
            return text(name);
        }
    }
}

/// Returns the host of a request.
fn host(bytes: &[u8]) -> Said {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    // The request itself.
    lines.next();
    for line in lines {
        let Some(line) = line.strip_suffix(b"\n") else { return Said::NotYet };
        let line = line.trim_ascii();
        if line.is_empty() {
            return Said::Nothing;
        }
        if let Some((field, value)) = line.split_at_checked(b"host:".len())
            && field.eq_ignore_ascii_case(b"host:")
        {
            return text(without_port(value.trim_ascii())).map_or(Said::Nothing, Said::Name);
        }
    }
    Said::NotYet
}

/// Returns `db.example` for `db.example:8080`; an address in brackets keeps them.
fn without_port(host: &[u8]) -> &[u8] {
    let Some(colon) = host.iter().rposition(|&byte| byte == b':') else { return host };
    if host[colon + 1..].iter().all(u8::is_ascii_digit) { &host[..colon] } else { host }
}

fn text(name: &[u8]) -> Option<String> {
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    std::str::from_utf8(name).ok().map(str::to_owned)
}

fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Result<&'a [u8], TooShort> {
    let (taken, rest) = bytes.split_at_checked(len).ok_or(TooShort)?;
    *bytes = rest;
    Ok(taken)
}

fn take_u16(bytes: &mut &[u8]) -> Result<u16, TooShort> {
    take(bytes, 2).map(|field| u16::from_be_bytes([field[0], field[1]]))
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A hello of one record, with extensions before the name.
    pub(in super::super) fn client_hello(name: &[u8]) -> Vec<u8> {
        let u16 = |n: usize| u16::try_from(n).unwrap().to_be_bytes();
        let mut extensions = Vec::new();
        // A key share of the size that is usual with post-quantum keys.
        extensions.extend([[0, 51], u16(1200)].concat());
        extensions.extend([7; 1200]);
        extensions.extend([[0, 0], u16(name.len() + 5), u16(name.len() + 3)].concat());
        extensions.push(HOST_NAME);
        extensions.extend(u16(name.len()));
        extensions.extend(name);
        let mut body = vec![3, 3];
        body.extend([9; 32]);
        body.extend([4, 1, 2, 3, 4]);
        body.extend([u16(2), [0x13, 1]].concat());
        body.extend([1, 0]);
        body.extend(u16(extensions.len()));
        body.extend(extensions);
        let mut record = vec![HANDSHAKE_RECORD, 3, 1];
        record.extend(u16(body.len() + 4));
        record.extend([CLIENT_HELLO, 0]);
        record.extend(u16(body.len()));
        record.extend(body);
        record
    }

    fn named(name: &str) -> Said {
        Said::Name(name.to_owned())
    }

    #[test]
    fn a_hello_names_its_server_once_it_is_there() {
        let hello = client_hello(b"db.example");
        assert_eq!(read(&hello), named("db.example"));
        for len in 1..hello.len() {
            assert_eq!(read(&hello[..len]), Said::NotYet, "{len}");
        }
        // In records of 100 bytes.
        let mut cut = Vec::new();
        for part in hello[RECORD_HEADER..].chunks(100) {
            cut.extend([HANDSHAKE_RECORD, 3, 1, 0, u8::try_from(part.len()).unwrap()]);
            cut.extend(part);
        }
        assert_eq!(read(&cut), named("db.example"));
    }

    #[test]
    fn what_is_no_name_is_none() {
        assert_eq!(read(&client_hello(b"")), Said::Nothing);
        assert_eq!(read(&client_hello(&[b'a'; LONGEST + 1])), Said::Nothing);
        assert_eq!(read(&client_hello(&[0xff, 0xfe])), Said::Nothing);
        let mut other = client_hello(b"db.example");
        other[RECORD_HEADER] = 2;
        assert_eq!(read(&other), Said::Nothing);
        for bytes in [&b""[..], b"SSH-2.0-x\r\n", b"GETTING db.example\r\n", b"\x16"] {
            assert_ne!(read(bytes), named("db.example"));
        }
    }

    #[test]
    fn a_request_names_its_host() {
        let said = |text: &str| read(text.as_bytes());
        assert_eq!(said("GET / HTTP/1.1\r\nAccept: */*\r\nHost: db.example:8080\r\n\r\n"), named("db.example"));
        assert_eq!(said("POST /a HTTP/1.1\r\nhOsT:[2001:db8::1]:80\r\n"), named("[2001:db8::1]"));
        assert_eq!(said("GET / HTTP/1.1\r\nHost: [2001:db8::1]\r\n"), named("[2001:db8::1]"));
        assert_eq!(said("GET / HTTP/1.1\r\nHost: db.exa"), Said::NotYet);
        assert_eq!(said("GET / HTTP/1.0\r\n\r\nHost: db.example\r\n"), Said::Nothing);
        assert_eq!(said("GET / HTTP/1.1\r\nHost:\r\n"), Said::Nothing);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..600), begin in 0..3_usize) {
            let begin = [&b""[..], &[22, 3, 1], b"GET / HTTP/1.1\r\nHost:"][begin];
            let _ = read(&[begin, &bytes].concat());
        }

        #[test]
        fn damaged_hellos_are_read(at in 0..1300_usize, value in any::<u8>(), len in 0..1400_usize) {
            let mut hello = client_hello(b"db.example");
            if let Some(byte) = hello.get_mut(at) {
                *byte = value;
            }
            hello.truncate(len);
            if let Said::Name(name) = read(&hello) {
                prop_assert!(name.len() <= LONGEST);
            }
        }
    }
}
