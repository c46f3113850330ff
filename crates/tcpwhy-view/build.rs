//! Compresses the viewer's bundle, which only pages need.

use std::error::Error;
use std::fs::{self, File};
use std::path::PathBuf;
use std::{env, io::Write as _};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for name in ["viewer.js", "viewer.css"] {
        let file = format!("bundle/{name}");
        println!("cargo::rerun-if-changed={file}");
        let mut packed = DeflateEncoder::new(File::create(out.join(name))?, Compression::best());
        packed.write_all(&fs::read(file)?)?;
        packed.finish()?;
    }
    Ok(())
}
