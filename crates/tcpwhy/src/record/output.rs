//! The files of a recording.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use tcpwhy_capture::{PcapngWriter, Section};
use tcpwhy_files::Folder;

use crate::inputs::is_stdin;

/// A ring is of so many files.
const PARTS: u64 = 10;
/// Less would be files of a few packets.
const LEAST_RING: u64 = 1_000_000;
/// As much is written at once.
const BUFFER: usize = 1 << 18;

/// Where a recording goes.
pub(super) struct Output {
    /// `None` for standard output.
    folder: Option<Folder>,
    /// Name of the file, or of the first part of its name.
    name: String,
    /// Bytes of each file of a ring.
    part: Option<u64>,
    replaces: bool,
    link_type: u16,
    snaplen: u32,
    interface: String,
    system: String,
    writer: Option<PcapngWriter<Counted>>,
    /// Of a ring, the files that are there.
    kept: VecDeque<String>,
    begun: u64,
}

impl Output {
    /// Nothing is written yet. `ring` is how much is kept.
    pub(super) fn new(path: &Path, ring: Option<u64>, replaces: bool) -> Result<Self> {
        let (folder, name) = if is_stdin(path) {
            if ring.is_some() {
                bail!("a ring is of files; standard output is none");
            }
            (None, String::new())
        } else {
            let Some(name) = path.file_name() else { bail!("{} is no name of a file", path.display()) };
            let Some(name) = name.to_str() else { bail!("{} is not UTF-8", path.display()) };
            let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !above.is_dir() {
                bail!("there is no folder {}", above.display());
            }
            (Some(Folder::open(above)?), name.to_owned())
        };
        if ring.is_some_and(|size| size < LEAST_RING) {
            bail!("a ring of less than 1 MB keeps too little; give --ring more");
        }
        Ok(Self {
            folder,
            name,
            part: ring.map(|size| size / PARTS),
            replaces,
            link_type: 0,
            snaplen: 0,
            interface: String::new(),
            system: String::new(),
            writer: None,
            kept: VecDeque::new(),
            begun: 0,
        })
    }

    /// Begins the first file.
    pub(super) fn begin(&mut self, link_type: u16, snaplen: u32, interface: &str, system: &str) -> Result<()> {
        (self.link_type, self.snaplen) = (link_type, snaplen);
        (self.interface, self.system) = (interface.to_owned(), system.to_owned());
        self.next()
    }

    /// Ends the file and begins the next one; of a ring, the oldest goes.
    pub(super) fn next(&mut self) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.flush()?;
        }
        self.begun += 1;
        let out: Box<dyn Write> = match &self.folder {
            None => Box::new(crate::standard_output::stdout()),
            Some(folder) => {
                let name = if self.part.is_some() { numbered(&self.name, self.begun) } else { self.name.clone() };
                while self.kept.len() as u64 >= PARTS {
                    let oldest = self.kept.pop_front();
                    folder.remove(oldest.as_deref().unwrap_or_default())?;
                }
                let file = begin(folder, &name, self.replaces)?;
                self.kept.push_back(name);
                Box::new(file)
            }
        };
        let name = self.kept.back().cloned();
        let out = Counted { out: BufWriter::with_capacity(BUFFER, out), count: 0, name };
        let application = concat!("tcpwhy ", env!("CARGO_PKG_VERSION"));
        let section = Section { system: &self.system, application, interface: &self.interface };
        self.writer = Some(PcapngWriter::with_section(out, self.link_type, self.snaplen, &section)?);
        Ok(())
    }

    /// What blocks are written with.
    pub(super) fn writer(&mut self) -> io::Result<&mut PcapngWriter<Counted>> {
        self.writer.as_mut().ok_or_else(|| io::Error::other("no file was begun"))
    }

    /// Whether the next file is due.
    pub(super) fn is_part_full(&self) -> bool {
        let written = self.writer.as_ref().map_or(0, |writer| writer.get_ref().count);
        self.part.is_some_and(|part| written >= part)
    }

    /// The first and the last file that are there.
    pub(super) fn files(&self) -> [Option<PathBuf>; 2] {
        [self.kept.front(), self.kept.back()].map(|name| name.map(PathBuf::from))
    }
}

/// `slow-00001.pcapng`.
fn numbered(name: &str, number: u64) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => format!("{stem}-{number:05}.{extension}"),
        _ => format!("{name}-{number:05}"),
    }
}

fn begin(folder: &Folder, name: &str, replaces: bool) -> Result<File> {
    if replaces {
        folder.remove(name)?;
    }
    match folder.begin(name) {
        Ok(file) => Ok(file),
        Err(error) if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::AlreadyExists) => {
            bail!("{name} is there already; --force replaces it")
        }
        Err(error) => Err(error.into()),
    }
}

/// Counts what is written.
pub(super) struct Counted {
    out: BufWriter<Box<dyn Write>>,
    count: u64,
    /// `None` for standard output, which says itself what is wrong.
    name: Option<String>,
}

impl Counted {
    fn named(&self, error: io::Error) -> io::Error {
        match &self.name {
            Some(name) => io::Error::new(error.kind(), format!("writing {name}: {error}")),
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
    use super::*;

    #[test]
    fn names_of_a_ring() {
        assert_eq!(numbered("slow.pcapng", 7), "slow-00007.pcapng");
        assert_eq!(numbered("slow", 123_456), "slow-123456");
        assert_eq!(numbered(".hidden", 1), ".hidden-00001");
    }

    #[test]
    fn a_ring_keeps_the_last_files() {
        let above = tempfile::tempdir().unwrap();
        let mut output = Output::new(&above.path().join("r.pcapng"), Some(LEAST_RING), false).unwrap();
        output.begin(1, 96, "eth0", "Linux").unwrap();
        for _ in 0..14 {
            while !output.is_part_full() {
                output.writer().unwrap().kernel_list(b"list").unwrap();
            }
            output.next().unwrap();
        }
        let mut names: Vec<_> =
            above.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!((names.len(), &*names[0], &*names[9]), (10, "r-00006.pcapng", "r-00015.pcapng"));
        let all: u64 = above.path().read_dir().unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
        assert!(all <= LEAST_RING + 1000, "{all}");
    }

    #[test]
    fn what_is_there_stays_unless_asked() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("r.pcapng");
        std::fs::write(&path, "precious").unwrap();
        let begin = |replaces| Output::new(&path, None, replaces).unwrap().begin(1, 96, "", "");
        assert!(begin(false).unwrap_err().to_string().contains("--force"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
        begin(true).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
        for bad in ["missing/r.pcapng", ".."] {
            assert!(Output::new(&above.path().join(bad), None, false).is_err(), "{bad}");
        }
        assert!(Output::new(Path::new("-"), Some(LEAST_RING), false).is_err());
    }
}
