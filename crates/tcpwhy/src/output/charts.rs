//! `--html` and `--svg`: written after a second look at the connections that matter most.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Result, bail};
use tcpwhy_files::Folder;
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::{Args, Wording};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Entry, Survey, View};
use tcpwhy_view::{Wanted, page, svg};

use crate::explain_args::ExplainArgs;
use crate::inputs::Inputs;
use crate::message;
use crate::output::file;
use crate::output::mark::Mark;
use crate::second_look;
use crate::stretch::Stretch;

/// Writes what was asked for about the connections of `survey`.
pub(crate) fn write(args: &ExplainArgs, inputs: &Inputs, wording: Wording<'_>, survey: Survey) -> Result<()> {
    if let Some(folder) = &args.svg {
        write_pictures(args, inputs, wording, &survey, folder)?;
    }
    if let Some(path) = &args.html {
        let view = View::new(survey, wording.catalogue().language(), wording.catalogue().names().cloned(), false);
        let page = page::page(&view, &charts(&view, inputs, args.quiet)?);
        if path == Path::new("-") {
            file::write_out(page.as_bytes())?;
        } else {
            file::write(path, page.as_bytes())?;
        }
    }
    Ok(())
}

/// The charts that `view` has room for.
pub(crate) fn charts(view: &View, inputs: &Inputs, is_quiet: bool) -> io::Result<Vec<ConnectionChart>> {
    let plan = view.plan();
    let wanted: Vec<_> =
        plan.iter().map(|(entry, budget)| (entry.source, Wanted::whole(&entry.connection, *budget))).collect();
    let recordings = second_look::gather(inputs, &wanted, view.survey().has_read_error(), is_quiet)?;
    let drawn = plan.iter().zip(recordings);
    Ok(drawn.filter_map(|((entry, _), r)| Some(ConnectionChart::new(&entry.connection, &r?.recording))).collect())
}

fn write_pictures(
    args: &ExplainArgs,
    inputs: &Inputs,
    wording: Wording<'_>,
    survey: &Survey,
    path: &Path,
) -> Result<()> {
    let entries = drawn_entries(args, wording, survey)?;
    let folder = Folder::open(path)?;
    let language = wording.catalogue().language();
    let stretch = args.svg_time.map(Stretch::nanos);
    let wanted: Vec<_> = entries
        .iter()
        .map(|e| (e.source, Wanted { stretch, ..Wanted::whole(&e.connection, Budget::PICTURE) }))
        .collect();
    let recordings = second_look::gather(inputs, &wanted, survey.has_read_error(), args.quiet)?;
    let style = svg::Style { theme: args.svg_theme.into(), language, stretch: args.svg_time.map(|s| (s.from, s.to)) };
    let mut pictures = Vec::new();
    for (entry, recorded) in entries.into_iter().zip(recordings) {
        let Some(recorded) = recorded else { continue };
        let mark = Mark::of(survey, entry);
        let of_entry = svg::pictures(&entry.connection, &recorded.recording, style);
        pictures.extend(of_entry.into_iter().map(|picture| (picture, mark.clone())));
    }
    // Nothing is written unless all may be.
    if !args.force
        && let Some((picture, _)) =
            pictures.iter().find(|(picture, mark)| mark.is_missing_in(&path.join(&picture.name)))
    {
        let name = Args::new().text("path", visible_path(&path.join(&picture.name)));
        bail!(wording.catalogue().text("svg-of-another-capture", &name));
    }
    for (picture, mark) in pictures {
        folder.replace(&picture.name, |out| {
            out.write_all(picture.content.as_bytes())?;
            out.write_all(mark.line().as_bytes())
        })?;
    }
    Ok(())
}

/// The connections that get pictures: of those to show, the ones that the stretch asked for lies in. Fails if there is none of
/// them, though there are others.
fn drawn_entries<'s>(args: &ExplainArgs, wording: Wording<'_>, survey: &'s Survey) -> Result<Vec<&'s Entry>> {
    let all: Vec<_> = survey.entries().iter().take(args.top.max(1)).collect();
    let Some(stretch) = args.svg_time else { return Ok(all) };
    let (from, _) = stretch.nanos();
    let inside: Vec<_> = all.iter().copied().filter(|e| e.connection.span.nanos() >= from).collect();
    let words = Args::new().text("from", stretch.from.to_string()).text("to", stretch.to.to_string());
    match (inside.len(), all.len()) {
        (0, outside) if outside > 0 => {
            let longest = all.iter().map(|e| e.connection.span.nanos()).max().unwrap_or_default();
            let id = if outside == 1 { "svg-time-outside-one" } else { "svg-time-outside" };
            bail!(wording.catalogue().text(id, &words.text("longest", wording.units().nanos(longest))));
        }
        (drawn, all) if drawn < all && !args.quiet => {
            let words = words.number("count", (all - drawn) as u64);
            message::say(wording.catalogue().text("svg-time-outside-some", &words));
        }
        _ => {}
    }
    Ok(inside)
}
