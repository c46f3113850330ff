//! Packs the catalogues and the JSON schemas: half a megabyte of text, of which a run reads only a part.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, fmt::Write as _, io::Write as _};

use flate2::Compression;
use flate2::write::DeflateEncoder;

#[path = "src/catalogue/id_hash.rs"]
mod id_hash;

/// Folder with one folder per language. Each file in these is packed into a file of its own.
const LANGUAGES: &str = "locales";
/// Folder of the JSON schemas. Each file in it is packed into a file of its own.
const SCHEMAS: &str = "schemas";

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={LANGUAGES}");
    for language in fs::read_dir(LANGUAGES)? {
        let language = language?;
        pack_language(&language.path(), &language.file_name().to_string_lossy(), &out)?;
    }
    for schema in files(Path::new(SCHEMAS), "json")? {
        let name = schema.file_stem().unwrap_or_default().to_owned();
        pack(&fs::read(&schema)?, &out.join(name))?;
    }
    Ok(())
}

/// Packs the files in `folder` and writes the `PackedFiles` expression that includes them
/// (`catalogue/messages.rs`).
fn pack_language(folder: &Path, tag: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let (mut packed, mut places) = (String::new(), Vec::new());
    let all = files(folder, "ftl")?;
    // A web page loads the messages over a network: as one file without a table, they are an eighth smaller.
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        let name = format!("{tag}-all");
        let mut text = Vec::new();
        for file in &all {
            text.extend(fs::read(file)?);
        }
        pack(&text, &out.join(&name))?;
        let file = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")).as_slice()");
        let all = format!("PackedFiles {{ files: &[{file}], places: &[], starts: &[] }}");
        return Ok(fs::write(out.join(format!("{tag}.rs")), all)?);
    }
    for (index, file) in all.iter().enumerate() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        pack(&fs::read(file)?, &out.join(format!("{tag}-{name}")))?;
        writeln!(packed, "include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{tag}-{name}\")).as_slice(),")?;
        let source = fs::read_to_string(file)?;
        places.extend(ids(&source).enumerate().map(|(place, id)| (id_hash::hash(id), index, place)));
    }
    places.sort_unstable();
    let start = |bucket| places.partition_point(|place| id_hash::bucket(place.0) < bucket);
    let starts: Vec<usize> = (0..=id_hash::bucket(u32::MAX) + 1).map(start).collect();
    let all = format!("PackedFiles {{ files: &[{packed}], places: &{places:?}, starts: &{starts:?} }}");
    fs::write(out.join(format!("{tag}.rs")), all)?;
    Ok(())
}

/// The files in `folder` with this extension, sorted by name, so that every machine packs the same bytes.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let all = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut all = all.collect::<Result<Vec<_>, _>>()?;
    all.retain(|path| path.extension().is_some_and(|e| e == extension));
    all.sort();
    Ok(all)
}

/// The ids of the messages of `source`, in order. A message begins with its id at the beginning of a line.
fn ids(source: &str) -> impl Iterator<Item = &str> {
    let begins_message = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    source.lines().filter(begins_message).filter_map(|line| line.split([' ', '=']).next())
}

fn pack(text: &[u8], to: &Path) -> Result<(), Box<dyn Error>> {
    let mut packed = DeflateEncoder::new(File::create(to)?, Compression::best());
    packed.write_all(text)?;
    packed.finish()?;
    Ok(())
}
