//! Packs the catalogues and the JSON schemas: half a megabyte of text, of which a run reads a part, once.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, io::Write as _};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The folder of the languages, each a folder whose files are packed into one text.
const LANGUAGES: &str = "locales";
/// The folder whose files are packed each into one of its own.
const SCHEMAS: &str = "schemas";

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={LANGUAGES}");
    for language in fs::read_dir(LANGUAGES)? {
        let language = language?;
        pack(&files(&language.path(), "ftl")?, &out.join(language.file_name()))?;
    }
    for schema in files(Path::new(SCHEMAS), "json")? {
        let name = schema.file_stem().unwrap_or_default().to_owned();
        pack(&[schema], &out.join(name))?;
    }
    Ok(())
}

/// The files in `folder` that end so, by name: the same bytes on every machine.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let all = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut all = all.collect::<Result<Vec<_>, _>>()?;
    all.retain(|path| path.extension().is_some_and(|e| e == extension));
    all.sort();
    Ok(all)
}

fn pack(files: &[PathBuf], to: &Path) -> Result<(), Box<dyn Error>> {
    let mut packed = DeflateEncoder::new(File::create(to)?, Compression::best());
    for file in files {
        packed.write_all(&fs::read(file)?)?;
    }
    packed.finish()?;
    Ok(())
}
