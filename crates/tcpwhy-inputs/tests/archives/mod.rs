//! Generates captures and archives in memory.

use std::io::Write as _;

/// A capture of two ARP packets.
pub(crate) const CAPTURE: &[u8] = &[
    0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0, // File header.
    1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0, 0, 0,
    0, //
    1, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0, 0, 0,
    0, //
];

/// A capture of this length. Bytes that do not fill a packet belong to the last one.
pub(crate) fn long_capture(len: usize) -> Vec<u8> {
    let (header, packet) = (&CAPTURE[..24], &CAPTURE[24..60]);
    header.iter().chain(packet.iter().cycle()).copied().take(len).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        // The library refuses `..` and absolute names, so they are written directly.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

/// Sets kind and length in a tar header.
pub(crate) fn set_header(header: &mut [u8], kind: u8, len: &[u8; 12]) {
    header[156] = kind;
    header[124..136].copy_from_slice(len);
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

#[derive(Clone, Copy)]
pub(crate) enum Stored {
    Plain,
    Deflated,
}

pub(crate) fn zip(members: &[(&str, &[u8])], stored: Stored) -> Vec<u8> {
    let mut file = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in members {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let (method, data) = match stored {
            Stored::Plain => (0_u16, content.to_vec()),
            Stored::Deflated => {
                let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(content).unwrap();
                (8, encoder.finish().unwrap())
            }
        };
        let mut common = Vec::new();
        common.extend([20, 0, 0, 0]);
        common.extend(method.to_le_bytes());
        common.extend([0; 4]);
        common.extend(crc.sum().to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.as_bytes());
        file.extend(data);
    }
    let (start, count) = (file.len(), members.len() as u16);
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count, count].map(u16::to_le_bytes).concat());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend((start as u32).to_le_bytes());
    file.extend([3, 0, b'e', b'n', b'd']);
    file
}
