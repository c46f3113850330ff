//! Captures found by files, folders, patterns and archives.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod archives;

use std::fs;
use std::io::{Cursor, Read, Write as _};
use std::path::Path;

use archives::{CAPTURE, Stored, gzip, tar, zip, zstd};
use tcpwhy_inputs::{Depth, Found, InputError, Listing, Origin, PassedOver, Place, Shard};
use tempfile::TempDir;

/// The listing of `typed`: names with numbers of packets or with errors, and the counts of skipped entries.
fn list(typed: &[&Path], depth: Depth) -> (Vec<String>, PassedOver) {
    drain(Listing::new(typed.iter().map(|path| Place::of(path)).collect(), depth))
}

fn drain(mut listing: Listing) -> (Vec<String>, PassedOver) {
    let mut all = Vec::new();
    while let Some(found) = listing.next() {
        all.push(match found {
            Found::Capture(mut capture) => {
                while capture.reader.read_batch(&mut Vec::new(), 100) {}
                let damage =
                    capture.reader.summary().anomalies.iter().map(|a| a.kind.id()).collect::<Vec<_>>().join(",");
                let mark = if capture.origin == Origin::Named { "named " } else { "" };
                format!("{mark}{} {} {damage}", base(&capture.name), capture.reader.summary().packets)
                    .trim_end()
                    .to_owned()
            }
            Found::Failed(failed) => format!("{} failed: {}", base(&failed.name), kind(&failed.error)),
        });
    }
    (all, listing.passed_over())
}

/// A name without the test's folder.
fn base(name: &str) -> &str {
    name.split_once("/T/").map_or(name, |(_, rest)| rest)
}

fn kind(error: &InputError) -> String {
    let debug = format!("{error:?}");
    debug.split([' ', '(', '{']).filter(|word| !word.is_empty()).take(2).collect::<Vec<_>>().join(" ")
}

/// Creates a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> (TempDir, std::path::PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("T");
    fs::create_dir(&root).unwrap();
    for (name, content) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    (temporary, root)
}

#[test]
fn a_folder_is_its_captures_by_name() {
    let (_keep, root) = folder(&[
        ("b.pcap", CAPTURE),
        ("a.pcap.gz", &gzip(CAPTURE)),
        ("a/x.pcap", CAPTURE),
        ("c/.d/x.pcap", CAPTURE),
        ("c/z.pcap.zst", &zstd(CAPTURE)),
        ("README", b"words and more words\n"),
        ("_SUCCESS", b""),
        ("empty.pcap", b""),
        ("cut.pcap", &CAPTURE[..20]),
        ("short.pcap", &CAPTURE[..50]),
        (".hidden.pcap", CAPTURE),
    ]);
    let (found, passed) = list(&[&root], Depth::OneLevel);
    let here = [
        "a.pcap.gz 2",
        "b.pcap 2",
        "cut.pcap failed: Capture TruncatedHeader",
        "empty.pcap failed: Capture Empty",
        "short.pcap 0 truncated-file",
    ];
    assert_eq!(found, here);
    assert_eq!(passed, PassedOver { others: 2, folders: 2, hidden: 1, ..PassedOver::default() });
    let (found, passed) = list(&[&root], Depth::AllLevels);
    let all: Vec<_> = [&["a/x.pcap 2"], &here[..2], &["c/z.pcap.zst 2"], &here[2..]].concat();
    assert_eq!(found, all);
    assert_eq!(passed, PassedOver { others: 2, hidden: 2, ..PassedOver::default() });
    // A file that the user named is a capture or an error.
    assert_eq!(list(&[&root.join("README")], Depth::OneLevel).0, ["README failed: Capture OtherFormat"]);
    assert_eq!(list(&[&root.join("b.pcap")], Depth::OneLevel).0, ["named b.pcap 2"]);
    assert_eq!(list(&[&root.join("none")], Depth::OneLevel).0, ["none failed: Capture Open"]);
}

#[test]
fn patterns_are_for_names_that_are_no_files() {
    let (_keep, root) = folder(&[
        ("a1.pcap", CAPTURE),
        ("a2.pcap", CAPTURE),
        ("a?.pcap", CAPTURE),
        ("d/a3.pcap", CAPTURE),
        ("d/e/a4.pcap", CAPTURE),
        ("d/e/notes.txt", b"words\n"),
    ]);
    let names = |pattern: &str| list(&[&root.join(pattern)], Depth::OneLevel).0.join(" ");
    assert_eq!(names("a?.pcap"), "named a?.pcap 2");
    assert_eq!(names("a[12].pcap"), "a1.pcap 2 a2.pcap 2");
    assert_eq!(names("*/*.pcap"), "d/a3.pcap 2");
    assert_eq!(names("**/a[34]*"), "d/a3.pcap 2 d/e/a4.pcap 2");
    assert_eq!(names("d*"), "d/a3.pcap 2");
    assert_eq!(names("**/*.txt"), "");
    assert_eq!(names("*.gz"), "*.gz failed: NoMatch pattern:");
}

#[test]
fn members_of_archives_are_captures() {
    let members: &[(&str, &[u8])] = &[
        ("./one.pcap", CAPTURE),
        ("README", b"words and more words\n"),
        ("deep/two.pcap.gz", &gzip(CAPTURE)),
        ("deep/.three.pcap", CAPTURE),
        ("../../four.pcap.zst", &zstd(CAPTURE)),
        ("/etc/five\n\u{1b}[31m.pcap", CAPTURE),
        ("inner.tar", &tar(&[("x.pcap", CAPTURE)])),
        ("empty.pcap", b""),
        ("nothing", b""),
    ];
    let expected = |archive: &str| {
        [
            "one.pcap 2",
            "deep/two.pcap.gz 2",
            "../../four.pcap.zst 2",
            r"/etc/five\n\x1b[31m.pcap 2",
            "empty.pcap failed: Capture Empty",
        ]
        .map(|row| format!("{archive}!{row}"))
    };
    let plain = tar(members);
    let (_keep, root) = folder(&[
        ("a.bin", &plain),
        ("b.tgz", &gzip(&plain)),
        ("c.tar.zst", &zstd(&plain)),
        ("d.zip", &zip(members, Stored::Deflated)),
        ("e.jar", &zip(members, Stored::Plain)),
    ]);
    let passed = PassedOver { others: 2, archives: 1, hidden: 1, ..PassedOver::default() };
    for name in ["a.bin", "b.tgz", "c.tar.zst", "d.zip", "e.jar"] {
        assert_eq!(list(&[&root.join(name)], Depth::OneLevel), (expected(name).to_vec(), passed), "{name}");
    }
    assert_eq!(list(&[&root], Depth::OneLevel).0.len(), 5 * 5);
    // A member is found by its shown name.
    let one = |member: &str| list(&[&root.join(format!("b.tgz!{member}"))], Depth::OneLevel).0.join(" ");
    assert_eq!(one("deep/two.pcap.gz"), "named b.tgz!deep/two.pcap.gz 2");
    assert_eq!(one("README"), "b.tgz!README failed: Capture OtherFormat");
    assert_eq!(one("six"), "b.tgz!six failed: NoMember path:");
}

#[test]
fn archives_come_from_streams_too() {
    let read = |bytes: Vec<u8>| {
        let listing = Listing::new(vec![Place::of("-".as_ref())], Depth::OneLevel);
        let mut bytes = Some(bytes);
        let open = move || Ok(Box::new(Cursor::new(bytes.take().unwrap())) as Box<dyn Read + Send>);
        drain(listing.with_standard_input(open)).0
    };
    let archive = tar(&[("a.pcap", CAPTURE), ("b.pcap", CAPTURE)]);
    for archive in [gzip(&archive), zstd(&archive), archive] {
        assert_eq!(read(archive), ["-!a.pcap 2", "-!b.pcap 2"]);
    }
    assert_eq!(read(CAPTURE.to_vec()), ["named - 2"]);
    assert_eq!(read(zip(&[("a.pcap", CAPTURE)], Stored::Plain)), ["- failed: ZipStream path:"]);
    assert_eq!(read(b"words\n".to_vec()), ["- failed: Capture OtherFormat"]);
}

#[test]
fn what_came_before_damage_is_answered() {
    let long = archives::long_capture(8 << 20);
    let plain = tar(&[("a.pcap", CAPTURE), ("long.pcap", &long), ("z.pcap", CAPTURE)]);
    let inside = 512 + 1024 + 512 + (5 << 20);
    let mut corrupt = plain.clone();
    // Position of the last member's header.
    let last = plain.len() - 1024 - 512 - 512 - 20 - plain[..].len() % 512;
    let header = (0..plain.len()).step_by(512).rfind(|&at| plain[at..].starts_with(b"z.pcap")).unwrap();
    assert!(header > last - 2048);
    corrupt[header + 1] ^= 1;
    let (_keep, root) = folder(&[
        ("a-cut.tar", &plain[..inside]),
        ("b-cut.tgz", &gzip(&plain[..inside])),
        ("c-cut.tgz", &cut(&gzip(&plain), 3)),
        ("d-corrupt.tar", &corrupt),
        ("e-header.tar", &plain[..1024 + 300]),
        ("f-held.tar", &plain[..540]),
        ("g-cut.zip", &cut(&zip(&[("a.pcap", CAPTURE)], Stored::Plain), 3)),
        ("h.pcap", CAPTURE),
    ]);
    let (found, _) = list(&[&root], Depth::OneLevel);
    let is = |row: &str, begin: &str| row.starts_with(begin);
    let shown = found.join("\n");
    for (row, begin) in found.iter().zip([
        "a-cut.tar!a.pcap 2",
        "a-cut.tar!long.pcap",
        "b-cut.tgz!a.pcap 2",
        "b-cut.tgz!long.pcap",
        "c-cut.tgz!a.pcap 2",
    ]) {
        assert!(is(row, begin), "{shown}");
    }
    for row in [
        "d-corrupt.tar failed: ArchiveCorrupt path:",
        "e-header.tar failed: ArchiveEnds path:",
        "f-held.tar!a.pcap failed: ArchiveEnds path:",
        "g-cut.zip failed: ArchiveEnds path:",
        "h.pcap 2",
    ] {
        assert!(found.iter().any(|found| found == row), "{row} is not in\n{shown}");
    }
    assert!(
        found
            .iter()
            .filter(|row| row.contains("long.pcap"))
            .all(|row| row.contains("read-error") || !row.contains("cut.t")),
        "{shown}"
    );
}

/// The bytes without the last of `parts` parts.
fn cut(bytes: &[u8], parts: usize) -> Vec<u8> {
    bytes[..bytes.len() - bytes.len() / parts].to_vec()
}

#[test]
fn a_member_that_is_not_read_to_its_end_does_not_stop_the_others() {
    let long = archives::long_capture(6 << 20);
    let (_keep, root) = folder(&[("a.tar", &tar(&[("long.pcap", &long), ("b.pcap", CAPTURE)]))]);
    let mut listing = Listing::new(vec![Place::of(&root)], Depth::OneLevel);
    let Some(Found::Capture(mut long)) = listing.next() else { panic!() };
    assert!(long.is_in_place && long.reader.bytes_total() == Some(6 << 20));
    let Some(Found::Capture(next)) = listing.next() else { panic!() };
    assert!(next.name.ends_with("a.tar!b.pcap") && !next.is_in_place);
    // An abandoned reader fails and returns no bytes of another member.
    while long.reader.read_batch(&mut Vec::new(), 100_000) {}
    assert!(long.reader.error().is_some());
    let mut reader = next.reader;
    while reader.read_batch(&mut Vec::new(), 1) {}
    assert_eq!(reader.summary().packets, 2);
}

#[test]
fn members_that_cannot_be_read_are_rows() {
    let archive =
        zip(&[("a.pcap", CAPTURE), ("b.pcap", CAPTURE), ("c.pcap", CAPTURE), ("d.pcap", CAPTURE)], Stored::Plain);
    let mut hostile = archive.clone();
    let entries: Vec<_> = (0..archive.len()).filter(|&at| archive[at..].starts_with(b"PK\x01\x02")).collect();
    hostile[entries[0] + 8] |= 1;
    hostile[entries[1] + 10] = 12;
    hostile[entries[2] + 42] = 7;
    hostile[entries[3] + 16] ^= 1;
    let (_keep, root) = folder(&[("x.zip", &hostile)]);
    let (found, _) = list(&[&root], Depth::OneLevel);
    assert_eq!(
        found,
        [
            "x.zip!a.pcap failed: Encrypted path:",
            "x.zip!b.pcap failed: Method path:",
            "x.zip!c.pcap failed: ArchiveCorrupt path:",
            "x.zip!d.pcap 2 read-error",
        ]
    );
}

#[test]
fn hostile_archives_end() {
    // An extended header that claims a length of one gigabyte, and invalid lengths.
    let mut long_name = tar(&[("x", b"")]);
    archives::set_header(&mut long_name[..512], b'L', b"77777777777\0");
    let mut negative = tar(&[("x", b"")]);
    archives::set_header(&mut negative[..512], b'0', b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
    let mut endless = tar(&[("x.pcap", b"")]);
    archives::set_header(&mut endless[..512], b'0', b"\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff");
    let mut zip_end = b"PK\x03\x04".to_vec();
    zip_end.extend([0; 100]);
    zip_end.extend(b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\x00\0\0\0\0\0\0");
    let (_keep, root) = folder(&[
        ("a.tar", &long_name),
        ("b.tar", &negative),
        ("c.tar", &endless),
        ("d.zip", &zip_end),
        ("e.zip", b"PK\x03\x04 and no more of it"),
    ]);
    let (found, _) = list(&[&root], Depth::OneLevel);
    assert_eq!(
        found,
        [
            "a.tar failed: ArchiveCorrupt path:",
            "b.tar failed: ArchiveCorrupt path:",
            "c.tar!x.pcap failed: Capture Unknown",
            "c.tar failed: ArchiveEnds path:",
            "d.zip failed: ArchiveCorrupt path:",
            "e.zip failed: ArchiveEnds path:",
        ]
    );
}

/// GNU tar writes blocks about holes between the header of a sparse file and its data.
#[test]
fn what_follows_a_file_with_holes_is_read() {
    let mut holes = tar(&[("holes.bin", b""), ("z.pcap", CAPTURE)]);
    holes[482] = 1;
    archives::set_header(&mut holes[..512], b'S', b"00000000000\0");
    let mut more = [0; 1024];
    more[504] = 1;
    holes.splice(512..512, more);
    let (_keep, root) = folder(&[("a.tar", &holes)]);
    let (found, passed) = list(&[&root], Depth::OneLevel);
    assert_eq!((found, passed.special), (vec!["a.tar!z.pcap 2".to_owned()], 1));
}

/// Old programs counted members in 16 bits, and hostile ones may write any count.
#[test]
fn members_of_zip_are_read_whatever_their_count() {
    let members = [("a.pcap", CAPTURE), ("b.pcap", CAPTURE), ("c.pcap", CAPTURE)];
    for count in [0, 1, 3, 9] {
        let mut archive = zip(&members, Stored::Plain);
        // The archive ends with a comment of three bytes.
        let end = archive.len() - 25;
        archive[end + 8..end + 12].copy_from_slice(&[count, 0, count, 0]);
        let (_keep, root) = folder(&[("a.zip", &archive)]);
        let (found, _) = list(&[&root], Depth::OneLevel);
        assert!(found.len() >= 3, "{count}: {found:?}");
        assert_eq!(found[..3], ["a.zip!a.pcap 2", "a.zip!b.pcap 2", "a.zip!c.pcap 2"], "{count}");
        let rest: Vec<_> = found[3..].iter().map(String::as_str).collect();
        assert_eq!(rest, if count == 3 { vec![] } else { vec!["a.zip failed: ArchiveCorrupt path:"] });
    }
}

#[test]
fn long_names_are_cut() {
    let name = format!("{}.pcap", "x".repeat(200_000));
    let pax = format!("{} path={name}\n", name.len() + 13);
    let mut archive = tar(&[("pax", pax.as_bytes()), ("short.pcap", CAPTURE)]);
    let len = format!("{:011o}\0", pax.len());
    archives::set_header(&mut archive[..512], b'x', len.as_bytes().try_into().unwrap());
    let (_keep, root) = folder(&[("a.tar", &archive)]);
    let (found, _) = list(&[&root], Depth::OneLevel);
    assert_eq!(found.len(), 1);
    assert!(found[0].len() < 5000 && found[0].ends_with("xx 2"), "{}", found[0].len());
}

#[test]
fn parts_add_up() {
    let files: Vec<_> = (0..40).map(|n| (format!("{n}.pcap"), CAPTURE)).collect();
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let (_keep, root) = folder(&files);
    fs::write(root.join("x.tgz"), gzip(&tar(&files))).unwrap();
    let part = |shard| drain(Listing::new(vec![Place::of(&root)], Depth::OneLevel).with_shard(shard)).0;
    let whole = part(None);
    let mut parts: Vec<_> = (1..=3).flat_map(|number| part(Shard::new(number, 3))).collect();
    assert_eq!(parts.len(), whole.len());
    parts.sort();
    let mut sorted = whole;
    sorted.sort();
    assert_eq!(parts, sorted);
}

#[cfg(unix)]
#[test]
fn links_and_fifos_are_not_read() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (keep, root) = folder(&[("a.pcap", CAPTURE), ("shut/b.pcap", CAPTURE), ("z.pcap", CAPTURE)]);
    let outside = keep.path().join("outside.pcap");
    fs::write(&outside, CAPTURE).unwrap();
    symlink(&outside, root.join("link.pcap")).unwrap();
    symlink(&root, root.join("loop")).unwrap();
    #[cfg(target_os = "linux")]
    rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo.pcap"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let (found, passed) = list(&[&root], Depth::AllLevels);
    assert_eq!(found, ["a.pcap 2", "shut/b.pcap 2", "z.pcap 2"]);
    assert_eq!((passed.links, passed.special), (2, u64::from(cfg!(target_os = "linux"))));
    fs::set_permissions(root.join("shut"), fs::Permissions::from_mode(0o0)).unwrap();
    // Root can read everything.
    if fs::read_dir(root.join("shut")).is_err() {
        assert_eq!(list(&[&root], Depth::AllLevels).0, ["a.pcap 2", "shut/ failed: Folder path:", "z.pcap 2"]);
    }
    fs::set_permissions(root.join("shut"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn folders_without_end_are_an_error() {
    let (_keep, root) = folder(&[("a.pcap", CAPTURE)]);
    let deep = root.join(["d"; 210].join("/"));
    fs::create_dir_all(&deep).unwrap();
    fs::File::create(deep.join("x.pcap")).unwrap().write_all(CAPTURE).unwrap();
    let (found, _) = list(&[&root], Depth::AllLevels);
    assert_eq!(found.len(), 2);
    assert!(found[1].ends_with("failed: Folder path:"), "{found:?}");
}

/// A zip archive whose directory lists the first member `times` times.
fn repeated(content: &[u8], times: usize) -> Vec<u8> {
    let one = zip(&[("a.pcap", content)], Stored::Deflated);
    let start = (0..one.len()).rfind(|&at| one[at..].starts_with(b"PK\x01\x02")).unwrap();
    let end = (0..one.len()).rfind(|&at| one[at..].starts_with(b"PK\x05\x06")).unwrap();
    let mut file = one[..start].to_vec();
    file.extend(one[start..end].repeat(times));
    let (count, len) = ((times as u16).to_le_bytes(), ((end - start) * times) as u32);
    file.extend(&one[end..end + 8]);
    file.extend([count, count].concat());
    file.extend(len.to_le_bytes());
    file.extend((start as u32).to_le_bytes());
    file.extend([0, 0]);
    file
}

#[test]
fn members_that_share_bytes_are_refused() {
    // A member that begins within another one's data, with a header of its own.
    let inner = zip(&[("b.pcap", CAPTURE)], Stored::Plain);
    let mut within = zip(&[("a.pcap", &inner), ("b.pcap", CAPTURE)], Stored::Plain);
    let second = (0..within.len()).rfind(|&at| within[at..].starts_with(b"PK\x01\x02")).unwrap();
    within[second + 42..second + 46].copy_from_slice(&36_u32.to_le_bytes());
    let (_keep, root) = folder(&[("a.zip", &repeated(CAPTURE, 100)), ("b.zip", &within), ("c.pcap", CAPTURE)]);
    let (found, _) = list(&[&root], Depth::OneLevel);
    let expected = ["a.zip!a.pcap 2", "a.zip failed: Overlaps path:", "b.zip failed: Overlaps path:", "c.pcap 2"];
    assert_eq!(found, expected);
    let mut listing = Listing::new(vec![Place::of(&root.join("a.zip"))], Depth::OneLevel);
    let errors: Vec<_> = std::iter::from_fn(|| listing.next())
        .filter_map(|found| match found {
            Found::Failed(failed) => Some(failed.error.to_string()),
            Found::Capture(_) => None,
        })
        .collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("a.zip!a.pcap shares bytes with another member"), "{errors:?}");
}

/// Zeros are empty records.
fn zeros(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    bytes[..24].copy_from_slice(&CAPTURE[..24]);
    bytes
}

/// Minimum number of bytes that each member counts towards the limit.
const MEMBER: usize = 128 << 10;

/// Members, and nested compression, share the limit of the whole file.
#[test]
fn archives_grow_to_a_bound() {
    const MIB: usize = 1 << 20;
    let large = zstd(&zeros(32 * MIB));
    // Concatenated frames, which deflate well.
    let twice = large.repeat(50);
    assert!(large.len() < 8000, "{}", large.len());
    let names: Vec<_> = (0..20).map(|n| format!("{n:02}.pcap.zst")).collect();
    let plain: Vec<_> = names.iter().map(|name| (name.as_str(), &large[..])).collect();
    let nested: Vec<_> = names.iter().map(|name| (name.as_str(), &twice[..])).collect();
    let (_keep, root) = folder(&[
        ("a.tar", &tar(&plain)),
        ("b.tgz", &gzip(&tar(&plain))),
        ("c.zip", &zip(&plain, Stored::Plain)),
        ("d.zip", &zip(&nested, Stored::Deflated)),
    ]);
    let whole = (32 * MIB as u64 - 24) / 16;
    for name in ["a.tar", "b.tgz", "c.zip", "d.zip"] {
        let read = |free: usize| {
            let place = Place::of(&root.join(name));
            let mut listing = Listing::new(vec![place], Depth::OneLevel).with_most_unpacked(Some(free as u64));
            let (mut packets, mut stopped) = (0, 0);
            while let Some(found) = listing.next() {
                let Found::Capture(mut capture) = found else { continue };
                while capture.reader.read_batch(&mut Vec::new(), 1 << 20) {}
                packets += capture.reader.summary().packets;
                stopped +=
                    u64::from(capture.reader.summary().anomalies.iter().any(|a| a.kind.id() == "excessive-growth"));
            }
            (packets, stopped)
        };
        let (packets, stopped) = read(64 * MIB);
        // At most 1000 times the bytes read, plus 64 MiB, in records of 16 bytes. The first members of a
        // compressed tar archive are checked before its total growth is known, so the factor is a few times
        // higher.
        let most = (4 * 1000 * fs::metadata(root.join(name)).unwrap().len() + 64 * MIB as u64) / 16;
        assert!((2 * whole..=most).contains(&packets), "{name}: {packets} of {most}");
        assert!((1..=20).contains(&stopped), "{name}: {stopped}");
        if name != "d.zip" {
            // A member counts itself in addition to its unpacked size.
            assert_eq!(read(20 * (32 * MIB + MEMBER)), (20 * whole, 0), "{name}");
        }
    }
}

/// Each member counts at least a minimum, so that many tiny ones reach the limit too.
#[test]
fn tiny_members_grow_to_a_bound() {
    const MEMBERS: usize = 4000;
    const FREE: usize = 16 << 20;
    /// Size of a tar header, and of the padded data of a short member.
    const BLOCK: usize = 512;
    let alike = vec![("a.pcap", CAPTURE); MEMBERS];
    // Captures with incompressible bytes.
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let different: Vec<Vec<u8>> =
        (0..400).map(|_| [CAPTURE, &(0..300).map(|_| noise()).collect::<Vec<_>>()].concat()).collect();
    let different: Vec<_> = different.iter().map(|content| ("a.pcap", &content[..])).collect();
    let (_keep, root) = folder(&[
        ("a.tar.zst", &zstd(&tar(&alike))),
        ("b.tgz", &gzip(&tar(&different))),
        ("c.zip", &zip(&different, Stored::Deflated)),
        ("d.tar", &tar(&alike)),
    ]);
    let read = |name: &str, free: usize| {
        let place = Place::of(&root.join(name));
        let (found, _) = drain(Listing::new(vec![place], Depth::OneLevel).with_most_unpacked(Some(free as u64)));
        let failed = found.iter().filter(|line| line.contains("failed: Growth")).count();
        (found.len() - failed, failed)
    };
    let packed = fs::metadata(root.join("a.tar.zst")).unwrap().len() as usize;
    let most = (1000 * packed + FREE) / MEMBER + 1;
    assert!(most < MEMBERS / 2, "{most}");
    let (members, failed) = read("a.tar.zst", FREE);
    assert!((FREE / MEMBER..=most).contains(&members), "{members} of {most}");
    assert_eq!(failed, 1);
    assert_eq!(read("a.tar.zst", MEMBERS * (MEMBER + 2 * BLOCK)), (MEMBERS, 0));
    // Data that compresses like captures is never stopped, and uncompressed data does not grow.
    for (name, all) in [("b.tgz", 400), ("c.zip", 400), ("d.tar", MEMBERS)] {
        assert_eq!(read(name, 0), (all, 0), "{name}");
    }
}

#[test]
fn members_of_one_name_are_distinct() {
    let members: &[(&str, &[u8])] = &[
        ("x.pcap", CAPTURE),
        ("./x.pcap", &CAPTURE[..60]),
        ("x.pcap#2", CAPTURE),
        ("x.pcap", b""),
        ("d/x.pcap", CAPTURE),
        ("a\u{202e}\u{1b}[2J.pcap", CAPTURE),
        (r"a\u{202e}\x1b[2J.pcap", CAPTURE),
    ];
    let expected = [
        "x.pcap 2",
        "x.pcap#2 1",
        "x.pcap#2#2 2",
        "x.pcap#3 failed: Capture Empty",
        "d/x.pcap 2",
        r"a\u{202e}\x1b[2J.pcap 2",
        r"a\u{202e}\x1b[2J.pcap#2 2",
    ];
    let (_keep, root) =
        folder(&[("a.tar", &tar(members)), ("b.tgz", &gzip(&tar(members))), ("c.zip", &zip(members, Stored::Plain))]);
    for archive in ["a.tar", "b.tgz", "c.zip"] {
        let expected = expected.map(|row| format!("{archive}!{row}"));
        assert_eq!(list(&[&root.join(archive)], Depth::OneLevel).0, expected);
        // A member is found by its shown name.
        let one = |member: &str| list(&[&root.join(format!("{archive}!{member}"))], Depth::OneLevel).0;
        assert_eq!(one("d/x.pcap"), [format!("named {archive}!d/x.pcap 2")]);
        assert_eq!(one("x.pcap#3"), [format!("{archive}!x.pcap#3 failed: Capture Empty")]);
        assert_eq!(one("x.pcap").len(), 3);
        assert_eq!(one(r"a\u{202e}\x1b[2J.pcap#2"), [format!(r"named {archive}!a\u{{202e}}\x1b[2J.pcap#2 2")]);
        assert_eq!(one("a\u{202e}\u{1b}[2J.pcap"), [format!(r"named {archive}!a\u{{202e}}\x1b[2J.pcap 2")]);
    }
}
