//! `--html` and `--svg`: written after a second look at the connections that matter most.

use std::fs;
use std::io::{self, Write as _, stdout};
use std::path::Path;

use tcpwhy_report::{Catalogue, Language};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Survey, View};
use tcpwhy_view::{Wanted, page, svg};

use crate::args::ExplainArgs;
use crate::inputs::Inputs;
use crate::second_look;
use crate::stretch::Stretch;

/// Writes what was asked for about the connections of `survey`.
pub(crate) fn write(args: &ExplainArgs, inputs: &Inputs, language: Language, survey: Survey) -> io::Result<()> {
    if survey.connections() == 0 && !args.quiet {
        let id = if args.connection.is_some() { "head-no-such-connection" } else { "head-no-connections" };
        eprintln!("tcpwhy: {}", Catalogue::new(language).word(id));
    }
    if let Some(folder) = &args.svg {
        write_pictures(args, inputs, language, &survey, folder)?;
    }
    if let Some(file) = &args.html {
        let view = View::new(survey, language, false);
        let page = page::page(&view, &charts(&view, inputs, args.quiet)?);
        if file == Path::new("-") {
            let mut out = stdout().lock();
            out.write_all(page.as_bytes())?;
            out.flush()?;
        } else {
            fs::write(file, page).map_err(|error| named(file, &error))?;
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
) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    let entries: Vec<_> = survey.entries().iter().take(args.top.max(1)).collect();
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
            let file = folder.join(&picture.name);
            fs::write(&file, picture.content).map_err(|error| named(&file, &error))?;
        }
    }
    Ok(())
}

fn named(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}
