//! Reads captures and prints a summary and the time taken: `cargo run --release --example throughput --
//! FILE…`. `--generate FILE PACKETS` writes a capture for measurements (96-byte snap length, 5,000
//! connections).

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use tcpwhy_capture::CaptureReader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, path, packets] = arguments.as_slice()
        && flag == "--generate"
    {
        return generate(Path::new(path), packets.parse()?);
    }
    for path in &arguments {
        match measure(Path::new(path)) {
            Ok(line) => println!("{line}"),
            Err(error) => println!("{path}\terror\t{error}"),
        }
    }
    Ok(())
}

fn measure(path: &Path) -> Result<String, tcpwhy_capture::CaptureError> {
    let cpu_before = cpu_nanos();
    let start = Instant::now();
    let mut reader = CaptureReader::open(path)?;
    let mut batch = Vec::with_capacity(1024);
    let mut payload = 0u64;
    while reader.read_batch(&mut batch, 1024) {
        payload += batch.drain(..).map(|segment| u64::from(segment.payload_len)).sum::<u64>();
    }
    let elapsed = start.elapsed();
    let cpu = cpu_nanos().zip(cpu_before).map_or(0, |(after, before)| after - before);
    let summary = reader.summary();
    let anomalies: Vec<String> = summary
        .anomalies
        .iter()
        .map(|a| format!("{}×{} from {} ({})", a.kind.id(), a.count, a.first_packet, a.detail))
        .collect();
    Ok(format!(
        "{}\t{}\t{:?}\t{}\t{}\t{payload}\t{:.1} ns/packet, {:.1} of CPU\t{}",
        summary.path,
        summary.format,
        summary.link_types,
        summary.packets,
        summary.segments,
        elapsed.as_nanos() as f64 / summary.packets.max(1) as f64,
        cpu as f64 / summary.packets.max(1) as f64,
        anomalies.join(", "),
    ))
}

/// CPU time of this thread, which is more reliable than wall-clock time on a busy machine. Linux only.
fn cpu_nanos() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// Data in one direction and acknowledgments in the other, with the timestamps option, cut at 96 bytes.
fn generate(path: &Path, packets: u32) -> Result<(), Box<dyn std::error::Error>> {
    const SNAPLEN: u32 = 96;
    let mut out = BufWriter::new(File::create(path)?);
    for field in [0xa1b2_c3d4u32, 0x0004_0002, 0, 0, SNAPLEN, 1] {
        out.write_all(&field.to_le_bytes())?;
    }
    for number in 0..packets {
        let connection = number % 5000;
        let is_ack = number / 5000 % 3 == 2;
        let payload_len: u32 = if is_ack { 0 } else { 1448 };
        let ip_len = 20 + 32 + payload_len;
        let mut frame = vec![0u8; 12];
        frame.extend([0x08, 0x00, 0x45, 0x00]);
        frame.extend((ip_len as u16).to_be_bytes());
        frame.extend([0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, (connection >> 8) as u8, connection as u8, 192, 0, 2, 1]);
        frame.extend((40_000u16).to_be_bytes());
        frame.extend((443u16).to_be_bytes());
        frame.extend((number / 5000 * 1448).to_be_bytes());
        frame.extend(1u32.to_be_bytes());
        frame.extend([0x80, 0x10, 0x10, 0, 0, 0, 0, 0, 1, 1, 8, 10]);
        frame.extend(number.to_be_bytes());
        frame.extend(number.to_be_bytes());
        frame.resize((14 + ip_len).min(SNAPLEN) as usize, 0);
        for field in [1_700_000_000 + number / 100_000, number % 100_000 * 10, frame.len() as u32, 14 + ip_len] {
            out.write_all(&field.to_le_bytes())?;
        }
        out.write_all(&frame)?;
    }
    out.flush()?;
    Ok(())
}
