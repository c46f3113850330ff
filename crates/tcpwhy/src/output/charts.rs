//! `--html` and `--svg`: written after a second look at the connections that matter most.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Result, ensure};
use tcpwhy_files::Folder;
use tcpwhy_report::{Catalogue, Language};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Survey, View};
use tcpwhy_view::{Wanted, page, svg};

use crate::args::ExplainArgs;
use crate::inputs::Inputs;
use crate::message;
use crate::output::file;
use crate::second_look;
use crate::stretch::Stretch;

/// Writes what was asked for about the connections of `survey`.
pub(crate) fn write(args: &ExplainArgs, inputs: &Inputs, language: Language, survey: Survey) -> Result<()> {
    if survey.connections() == 0 && !args.quiet {
        let id = if args.connection.is_some() { "head-no-such-connection" } else { "head-no-connections" };
        message::say(Catalogue::new(language).word(id));
    }
    if let Some(folder) = &args.svg {
        write_pictures(args, inputs, language, &survey, folder)?;
    }
    if let Some(path) = &args.html {
        let view = View::new(survey, language, false);
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
    language: Language,
    survey: &Survey,
    folder: &Path,
) -> Result<()> {
    let entries: Vec<_> = survey.entries().iter().take(args.top.max(1)).collect();
    if let Some(stretch) = args.svg_time {
        let last = entries.iter().map(|e| e.connection.span.seconds()).fold(0.0, f64::max);
        ensure!(
            entries.is_empty() || stretch.from <= last,
            "--svg-time {}-{}: nothing was captured then: {last:.6} seconds after its first packet even the longest of these connections is over",
            stretch.from,
            stretch.to
        );
    }
    let folder = Folder::open(folder)?;
    let stretch = args.svg_time.map(Stretch::nanos);
    let wanted: Vec<_> = entries
        .iter()
        .map(|e| (e.source, Wanted { stretch, ..Wanted::whole(&e.connection, Budget::PICTURE) }))
        .collect();
    let recordings = second_look::gather(inputs, &wanted, survey.has_read_error(), args.quiet)?;
    let style = svg::Style { theme: args.svg_theme.into(), language, stretch: args.svg_time.map(|s| (s.from, s.to)) };
    for (entry, recorded) in entries.into_iter().zip(recordings) {
        let Some(recorded) = recorded else { continue };
        for picture in svg::pictures(&entry.connection, &recorded.recording, style) {
            folder.replace(&picture.name, |out| out.write_all(picture.content.as_bytes()))?;
        }
    }
    Ok(())
}
