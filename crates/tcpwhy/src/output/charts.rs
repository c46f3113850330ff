//! `--html` and `--svg`: written after a second pass over the most important connections.

use std::io::{self, Write as _};

use tcpwhy_files::{FileId, Folder, Names, WriteError, Written};
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::markup::MARK;
use tcpwhy_report::{Args, Wording};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Entry, Survey, View};
use tcpwhy_view::{Wanted, page, svg};

use crate::explain_args::ExplainArgs;
use crate::inputs::{Inputs, is_stdin};
use crate::message;
use crate::output::file::{self, Output};
use crate::output::mark::Mark;
use crate::second_look;
use crate::stretch::Stretch;
use crate::wrong::{Result, Wrong};

/// Destinations of charts that are known before anything is read.
pub(crate) struct Outputs {
    html: Option<Output>,
    svg: Option<Folder>,
    /// The input files, which no output replaces.
    inputs: Vec<FileId>,
}

impl Outputs {
    /// Fails if a requested output may not be written.
    pub(crate) fn prepare(args: &ExplainArgs) -> Result<Self> {
        let inputs = args.inputs();
        let policy = file::policy(inputs.clone(), args.overwrite, &[MARK]);
        let html = args.html.as_deref().map(|path| Output::prepare(path, &policy)).transpose()?;
        args.svg.as_deref().map(Folder::look).transpose()?;
        Ok(Self { html, svg: None, inputs })
    }

    /// Starts the processes that write the outputs. The folder of pictures is created only if there is an
    /// input.
    pub(crate) fn hand_over(self, args: &ExplainArgs) -> Result<Self> {
        let html = self.html.map(Output::hand_over).transpose()?;
        let is_there = args.interface.is_some() || args.files.iter().any(|file| is_stdin(file) || file.exists());
        let policy = file::policy(self.inputs.clone(), args.overwrite, &[MARK]);
        let names = Names::Between { first: String::new(), last: ".svg".to_owned() };
        let svg = args.svg.as_deref().filter(|_| is_there);
        let svg = svg.map(|path| Folder::open(path)?.hand_over(&names, &policy)).transpose()?;
        Ok(Self { html, svg, inputs: self.inputs })
    }
}

/// Writes the requested charts of the connections of `survey`.
pub(crate) fn write(
    args: &ExplainArgs,
    outputs: &Outputs,
    inputs: &Inputs,
    wording: Wording<'_>,
    survey: Survey,
) -> Result<()> {
    if let (Some(path), Some(folder)) = (&args.svg, &outputs.svg) {
        let written = write_pictures(args, outputs, inputs, wording, &survey, folder)?;
        if !args.quiet {
            file::say_written(wording, path, written);
        }
    }
    if let (Some(output), Some(path)) = (&outputs.html, &args.html) {
        let view = View::new(survey, wording.catalogue().language(), wording.catalogue().names().cloned(), false);
        let page = page::page(&view, &charts(&view, inputs, args.quiet)?);
        if let Some(written) = output.write(page.as_bytes())?
            && !args.quiet
        {
            file::say_written(wording, path, written);
        }
    }
    Ok(())
}

/// The charts that fit `view`.
pub(crate) fn charts(view: &View, inputs: &Inputs, is_quiet: bool) -> io::Result<Vec<ConnectionChart>> {
    let plan = view.plan();
    let wanted: Vec<_> =
        plan.iter().map(|(entry, budget)| (entry.source, Wanted::whole(&entry.connection, *budget))).collect();
    let recordings = second_look::gather(inputs, &wanted, view.survey().has_read_error(), is_quiet)?;
    let drawn = plan.iter().zip(recordings);
    Ok(drawn.filter_map(|((entry, _), r)| Some(ConnectionChart::of(&entry.connection, &r?))).collect())
}

fn write_pictures(
    args: &ExplainArgs,
    outputs: &Outputs,
    inputs: &Inputs,
    wording: Wording<'_>,
    survey: &Survey,
    folder: &Folder,
) -> Result<Written> {
    let entries = drawn_entries(args, wording, survey)?;
    let language = wording.catalogue().language();
    let stretch = args.svg_time.map(Stretch::nanos);
    let wanted: Vec<_> = entries
        .iter()
        .map(|e| (e.source, Wanted { stretch, ..Wanted::whole(&e.connection, Budget::PICTURE) }))
        .collect();
    let recordings = second_look::gather(inputs, &wanted, survey.has_read_error(), args.quiet)?;
    let style = svg::Style {
        theme: args.svg_theme.into(),
        language,
        stretch: args.svg_time.map(|s| (s.from, s.to)),
        tops: svg::Tops::OWN,
    };
    let mut pictures = Vec::new();
    for (entry, recorded) in entries.into_iter().zip(recordings) {
        let Some(recorded) = recorded else { continue };
        let mark = Mark::of(survey, entry);
        let policy = file::policy(outputs.inputs.clone(), args.overwrite, &[mark.line()]);
        let of_entry = svg::pictures(&entry.connection, &recorded.recording, style);
        let marked = |picture: svg::Picture| (picture.name, mark.put_into(&picture.content), policy.clone());
        pictures.extend(of_entry.into_iter().map(marked));
    }
    // All files are checked before the first is written.
    for (name, _, policy) in &pictures {
        match folder.check(name, policy) {
            Err(WriteError::NotOurs { path }) => {
                let name = Args::new().text("path", visible_path(&path));
                return Err(Wrong::said(wording.catalogue().text("svg-of-another-capture", &name)));
            }
            result => result?,
        }
    }
    let mut written = Written::default();
    for (name, content, policy) in &pictures {
        written += folder.replace(name, policy, |out| out.write_all(content.as_bytes()))?;
    }
    Ok(written)
}

/// The connections that get pictures: the shown ones that include the requested time range. Fails if none of
/// them does although there are connections.
fn drawn_entries<'s>(args: &ExplainArgs, wording: Wording<'_>, survey: &'s Survey) -> Result<Vec<&'s Entry>> {
    let has_data = |entry: &&Entry| !entry.connection.halves.is_empty();
    let all: Vec<_> = survey.entries().iter().filter(has_data).take(args.top.max(1)).collect();
    let Some(stretch) = args.svg_time else { return Ok(all) };
    let (from, _) = stretch.nanos();
    let inside: Vec<_> = all.iter().copied().filter(|e| e.connection.span.nanos() >= from).collect();
    let words = Args::new().text("from", stretch.from.to_string()).text("to", stretch.to.to_string());
    match (inside.len(), all.len()) {
        (0, outside) if outside > 0 => {
            let longest = all.iter().map(|e| e.connection.span.nanos()).max().unwrap_or_default();
            let id = if outside == 1 { "svg-time-outside-one" } else { "svg-time-outside" };
            return Err(Wrong::said(
                wording.catalogue().text(id, &words.text("longest", wording.units().nanos(longest))),
            ));
        }
        (drawn, all) if drawn < all && !args.quiet => {
            let words = words.number("count", (all - drawn) as u64);
            message::say(wording.catalogue().text("svg-time-outside-some", &words));
        }
        _ => {}
    }
    Ok(inside)
}
