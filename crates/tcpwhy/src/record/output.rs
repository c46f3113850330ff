//! The files of a recording.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tcpwhy_capture::PcapngWriter;

use super::packets::{Heading, begin_pcapng};
use super::place::Place;
use crate::inputs::is_stdin;
use crate::message::failure;
use crate::output::file::is_standard_output;
use crate::wrong::{Result, bail};

/// Files of a ring.
const PARTS: u64 = 10;
/// Smallest ring, bytes: the files of a smaller one would have a few packets each.
const LEAST_RING: u64 = 1_000_000;
/// Bytes that are written at once.
const BUFFER: usize = 1 << 18;

/// The destination of a recording.
pub(super) struct Output {
    to: To,
    /// Size of the ring, bytes; `None` for a single file.
    ring: Option<u64>,
    replaces: bool,
    heading: Heading,
    writer: Option<PcapngWriter<Counted>>,
    /// The complete files of a ring and their sizes, bytes.
    kept: VecDeque<(String, u64)>,
    /// The file being written.
    current: Option<String>,
    /// Bytes of the host and socket data at the start of the file. Every file has them, so they do not count
    /// towards its size.
    opening: u64,
    begun: u64,
}

enum To {
    /// Standard output, a device or a FIFO; `None` once the writer owns it. The second field is its name, if
    /// any.
    Stream(Option<Box<dyn Write>>, Option<String>),
    Files(Place),
}

impl Output {
    /// Checks the destination; nothing is written or removed yet. `ring` is the size of the ring, bytes.
    pub(super) fn new(path: &Path, ring: Option<u64>, replaces: bool) -> Result<Self> {
        let to = if is_stdin(path) || is_standard_output(path) {
            To::Stream(Some(Box::new(crate::standard_output::stdout())), None)
        } else {
            let place = Place::at(path)?;
            // A ring never opens a FIFO: that would block until a reader opens it.
            if ring.is_some() {
                To::Files(place)
            } else if let Some(file) = place.open_special()? {
                To::Stream(Some(Box::new(file)), Some(place.name().to_owned()))
            } else {
                To::Files(place)
            }
        };
        if let Some(size) = ring {
            let To::Files(place) = &to else { bail!(failure("ring-of-output")) };
            if size < LEAST_RING {
                bail!(failure("ring-too-small"));
            }
            if !replaces && let Some(first) = place.numbered_files()?.first() {
                bail!(failure("ring-is-there").with("file", first.as_str()));
            }
        }
        Ok(Self {
            to,
            ring,
            replaces,
            heading: Heading::default(),
            writer: None,
            kept: VecDeque::new(),
            current: None,
            opening: 0,
            begun: 0,
        })
    }

    /// Starts the separate process that creates and removes the files from now on.
    pub(super) fn hand_over(self) -> Result<Self> {
        let to = match self.to {
            To::Files(place) => To::Files(place.hand_over()?),
            stream @ To::Stream(..) => stream,
        };
        Ok(Self { to, ..self })
    }

    /// Begins the first file.
    pub(super) fn begin(&mut self, heading: Heading) -> Result<()> {
        self.heading = heading;
        if let To::Files(place) = &self.to
            && self.replaces
        {
            if self.ring.is_none() {
                place.remove(place.name())?;
            } else {
                // Old files may have higher numbers and would look newer than the new ones.
                place.numbered_files()?.iter().try_for_each(|name| place.remove(name))?;
            }
        }
        self.next()
    }

    /// Ends the file and begins the next one; removes the oldest files of a ring.
    pub(super) fn next(&mut self) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.flush()?;
        }
        let written = self.written();
        self.begun += 1;
        let (out, name): (Box<dyn Write>, _) = match &mut self.to {
            To::Stream(stream, name) => {
                let Some(stream) = stream.take() else { bail!(failure("second-file")) };
                (stream, name.clone())
            }
            To::Files(place) => {
                let name = if self.ring.is_some() { place.numbered(self.begun) } else { place.name().to_owned() };
                self.kept.extend(self.current.take().map(|name| (name, written)));
                let room = self.ring.map_or(u64::MAX, |ring| ring - ring / PARTS);
                while self.kept.len() > 1
                    && (self.kept.len() as u64 >= PARTS || self.kept.iter().map(|(_, bytes)| bytes).sum::<u64>() > room)
                    && let Some((oldest, _)) = self.kept.pop_front()
                {
                    place.remove(&oldest)?;
                }
                (Box::new(place.begin(&name)?), Some(name))
            }
        };
        if matches!(self.to, To::Files(_)) {
            self.current.clone_from(&name);
        }
        let out = Counted { out: BufWriter::with_capacity(BUFFER, out), count: 0, name };
        self.writer = Some(begin_pcapng(out, &self.heading)?);
        self.opening = self.written();
        Ok(())
    }

    /// Takes the bytes written so far as the size of the file's opening data.
    pub(super) fn note_opening(&mut self) {
        self.opening = self.written();
    }

    /// The writer of the current file.
    pub(super) fn writer(&mut self) -> io::Result<&mut PcapngWriter<Counted>> {
        self.writer.as_mut().ok_or_else(|| io::Error::other(failure("no-file-begun")))
    }

    /// Bytes written to the current file.
    fn written(&self) -> u64 {
        self.writer.as_ref().map_or(0, |writer| writer.get_ref().count)
    }

    /// Whether the next file is due.
    pub(super) fn is_part_full(&self) -> bool {
        self.ring.is_some_and(|ring| {
            let part = ring / PARTS;
            // At least half a part, or a host with very many sockets would leave no space for packets.
            self.written() - self.opening >= part.saturating_sub(self.opening).max(part / 2)
        })
    }

    /// The size of ring to recommend, bytes, if the opening data takes most of this one.
    pub(super) fn wanted_ring(&self) -> Option<u64> {
        self.ring.filter(|ring| self.opening > ring / PARTS / 2).map(|_| 4 * PARTS * self.opening)
    }

    /// Bytes of all existing files.
    pub(super) fn bytes(&self) -> u64 {
        self.kept.iter().map(|(_, bytes)| bytes).sum::<u64>() + self.written()
    }

    /// The first and the last existing file; `None` for a stream.
    pub(super) fn files(&self) -> [Option<PathBuf>; 2] {
        let last = self.current.as_ref();
        [self.kept.front().map(|(name, _)| name).or(last), last].map(|name| name.map(PathBuf::from))
    }
}

/// Counts the bytes written.
pub(super) struct Counted {
    out: BufWriter<Box<dyn Write>>,
    count: u64,
    /// `None` for standard output, whose errors name it already.
    name: Option<String>,
}

impl Counted {
    fn named(&self, error: io::Error) -> io::Error {
        match &self.name {
            Some(name) => {
                io::Error::new(error.kind(), failure("writing").with("file", name.as_str()).with("cause", &error))
            }
            None => error,
        }
    }
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.out.write(bytes).map_err(|error| self.named(error))?;
        self.count += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| self.named(error))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;

    use super::*;

    fn heading() -> Heading {
        Heading { link_type: 1, snaplen: 96, interface: "eth0".into(), system: "Linux".into() }
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = folder.read_dir().unwrap().map(name).collect();
        names.sort();
        names
    }

    fn bytes(folder: &Path) -> u64 {
        folder.read_dir().unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    }

    /// Bytes that do not compress.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u8
        };
        std::iter::repeat_with(next).take(len).collect()
    }

    #[test]
    fn a_ring_keeps_the_last_files() {
        let above = tempfile::tempdir().unwrap();
        let mut output = Output::new(&above.path().join("r.pcapng"), Some(LEAST_RING), false).unwrap();
        output.begin(heading()).unwrap();
        for _ in 0..14 {
            while !output.is_part_full() {
                output.writer().unwrap().kernel_list(b"list").unwrap();
            }
            output.next().unwrap();
        }
        let names = names(above.path());
        assert_eq!((names.len(), &*names[0], &*names[9]), (10, "r-00006.pcapng", "r-00015.pcapng"));
        let all = bytes(above.path());
        assert!(all <= LEAST_RING + 1000, "{all}");
        let [first, last] = output.files().map(|file| file.unwrap().into_os_string().into_string().unwrap());
        assert_eq!([&first, &last], [&names[0], &names[9]]);
    }

    /// On a host with many sockets, each file has space for new data, and the ring stays near the requested
    /// size.
    #[test]
    fn what_every_file_begins_with_does_not_fill_it() {
        let part = LEAST_RING / PARTS;
        for (opening, most) in [(part / 4, LEAST_RING), (part, LEAST_RING), (8 * part, 3 * LEAST_RING)] {
            let above = tempfile::tempdir().unwrap();
            let mut output = Output::new(&above.path().join("r.pcapng"), Some(LEAST_RING), false).unwrap();
            output.begin(heading()).unwrap();
            let (opening, list) = (noise(opening as usize), noise(900));
            for _ in 0..13 {
                output.writer().unwrap().kernel_list(&opening).unwrap();
                output.note_opening();
                let mut lists = 0;
                while !output.is_part_full() {
                    output.writer().unwrap().kernel_list(&list).unwrap();
                    lists += 1;
                }
                assert!(lists >= 50, "{lists} of 900 bytes after {}", opening.len());
                assert_eq!(output.wanted_ring().is_some(), opening.len() as u64 > part / 2);
                output.next().unwrap();
            }
            assert!(bytes(above.path()) <= most, "{} of {most}", bytes(above.path()));
        }
    }

    #[test]
    fn what_is_there_stays_unless_asked() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("r.pcapng");
        fs::write(&path, "precious").unwrap();
        let begin = |replaces| Output::new(&path, None, replaces).unwrap().begin(heading());
        assert!(begin(false).unwrap_err().to_string().contains("--overwrite"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        begin(true).unwrap();
        assert!(fs::read(&path).unwrap().starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
        assert!(Output::new(Path::new("-"), Some(LEAST_RING), false).is_err());
    }

    /// With an earlier ring of the same name, either all of its files are replaced or nothing is recorded.
    #[test]
    fn an_earlier_ring_is_in_the_way_as_a_whole() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("r.pcapng");
        // Numbers that the new ring would reach only later count too; other names do not.
        for name in ["r-00007.pcapng", "r-00012.pcapng", "r-00007.txt", "r.pcapng"] {
            fs::write(above.path().join(name), "precious").unwrap();
        }
        let Err(refused) = Output::new(&path, Some(LEAST_RING), false) else { panic!("it is in the way") };
        let refused = refused.to_string();
        assert!(refused.contains("r-00007.pcapng") && refused.contains("--overwrite"), "{refused}");
        let mut output = Output::new(&path, Some(LEAST_RING), true).unwrap();
        assert_eq!(names(above.path()).len(), 4, "nothing is removed before something is begun");
        output.begin(heading()).unwrap();
        assert_eq!(names(above.path()), ["r-00001.pcapng", "r-00007.txt", "r.pcapng"]);
    }

    #[test]
    fn what_is_no_file_is_written_to() {
        for replaces in [false, true] {
            let mut output = Output::new(Path::new("/dev/null"), None, replaces).unwrap();
            output.begin(heading()).unwrap();
            assert_eq!(output.files(), [None, None]);
        }
        let above = tempfile::tempdir().unwrap();
        let fifo = above.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || {
                let mut start = [0; 4];
                fs::File::open(fifo).unwrap().read_exact(&mut start).unwrap();
                start
            }
        });
        let mut output = Output::new(&fifo, None, true).unwrap();
        output.begin(heading()).unwrap();
        output.writer().unwrap().flush().unwrap();
        assert_eq!(reader.join().unwrap(), [0x0a, 0x0d, 0x0d, 0x0a]);
        assert!(fifo.exists());
        // A ring next to a FIFO has other names.
        assert!(Output::new(&above.path().join("fifo"), Some(LEAST_RING), false).is_ok());
    }
}
