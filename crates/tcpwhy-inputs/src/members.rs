//! The archive that is being listed, and its members.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use tcpwhy_capture::{ArchiveFormat, Growth, Overgrown, decompressed};

use crate::archive::{Broken, Member, Unreadable};
use crate::error::InputError;
use crate::found::Origin;
use crate::member_names::MemberNames;
use crate::tar::Tar;
use crate::zip::Zip;

/// An open archive.
pub(crate) struct Archive {
    pub(crate) members: Members,
    pub(crate) names: MemberNames,
    /// Its name, and its name relative to the argument.
    pub(crate) path: String,
    pub(crate) relative: String,
    pub(crate) origin: Origin,
    /// The only wanted member, if the user named one.
    pub(crate) only: Option<Only>,
}

pub(crate) struct Only {
    pub(crate) member: String,
    pub(crate) typed: String,
    pub(crate) is_found: bool,
}

pub(crate) enum Members {
    Tar(Tar),
    Zip(Zip),
}

impl Archive {
    /// The next member; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Member>, Broken> {
        match &mut self.members {
            Members::Tar(tar) => tar.next(),
            Members::Zip(zip) => zip.next(),
        }
    }

    pub(crate) const fn is_tar(&self) -> bool {
        matches!(self.members, Members::Tar(_))
    }
}

impl Unreadable {
    pub(crate) fn of(self, path: String) -> InputError {
        match self {
            Self::Encrypted => InputError::Encrypted { path },
            Self::Method(method) => InputError::Method { path, method },
            Self::Corrupt => InputError::ArchiveCorrupt { path },
            Self::Failed(cause) if Overgrown::is(&cause) => InputError::Growth { path },
            Self::Failed(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => InputError::ArchiveEnds { path },
            Self::Failed(cause) => InputError::Archive { path, cause },
        }
    }
}

/// The members of an archive in a file; `None` for a zip archive within a compressed file, because that has
/// no random access.
pub(crate) fn members_of(mut file: File, format: ArchiveFormat, growth: &Growth) -> Result<Option<Members>, Broken> {
    file.seek(SeekFrom::Start(0))?;
    match format {
        ArchiveFormat::Tar => Ok(Some(Members::Tar(Tar::new(decompressed(file, growth)?, growth)))),
        ArchiveFormat::Zip => {
            let mut begin = [0; 2];
            file.read_exact(&mut begin)?;
            if begin != *b"PK" {
                return Ok(None);
            }
            Ok(Some(Members::Zip(Zip::open(file, growth)?)))
        }
    }
}
