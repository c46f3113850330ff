//! Packs the catalogues and the JSON schemas: half a megabyte of text, of which a run reads a part, once.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, io::Write as _};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The folders whose files are packed, each into one text, or each file into one of its own.
const LANGUAGES: [&str; 2] = ["en", "zh-CN"];
const SCHEMAS: &str = "schemas";

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for language in LANGUAGES {
        pack(&files(&Path::new("locales").join(language), "ftl")?, &out.join(language))?;
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
