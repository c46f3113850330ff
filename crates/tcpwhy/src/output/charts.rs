use std::fs;
use std::io::{self, Write as _, stdout};
use std::path::Path;

use tcpwhy_analysis::Connection;
use tcpwhy_report::{CaptureFacts, Language};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Survey, View};
use tcpwhy_view::{Wanted, page, svg};

use super::Sink;
use crate::args::ExplainArgs;
use crate::inputs::Inputs;
use crate::second_look;
use crate::stretch::Stretch;

/// `--html` and `--svg`: written at the end, after a second look at the connections that matter most.
pub(crate) struct Charts<'a> {
    args: &'a ExplainArgs,
    inputs: &'a Inputs,
    language: Language,
    survey: Survey,
}

impl<'a> Charts<'a> {
    pub(crate) fn new(args: &'a ExplainArgs, inputs: &'a Inputs, language: Language) -> Self {
        Self { args, inputs, language, survey: Survey::new() }
    }

    fn write_page(&self, view: &View, file: &Path) -> io::Result<()> {
        let charts = charts(view, self.inputs, self.args.quiet)?;
        let page = page::page(view, &charts);
        if file == Path::new("-") {
            let mut out = stdout().lock();
            out.write_all(page.as_bytes())?;
            return out.flush();
        }
        fs::write(file, page).map_err(|error| named(file, &error))
    }

    fn write_pictures(&self, view: &View, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
        let entries: Vec<_> = view.survey().entries().iter().take(self.args.top.max(1)).collect();
        let stretch = self.args.svg_time.map(Stretch::nanos);
        let wanted: Vec<_> = entries
            .iter()
            .map(|e| (e.source, Wanted { stretch, ..Wanted::whole(&e.connection, Budget::PICTURE) }))
            .collect();
        let recordings = second_look::gather(self.inputs, &wanted, self.args.quiet)?;
        let style = svg::Style {
            theme: self.args.svg_theme.into(),
            language: self.language,
            stretch: self.args.svg_time.map(|s| (s.from, s.to)),
        };
        for (entry, recording) in entries.into_iter().zip(recordings) {
            let Some(recording) = recording else { continue };
            for picture in svg::pictures(&entry.connection, &recording, style) {
                let file = folder.join(&picture.name);
                fs::write(&file, picture.content).map_err(|error| named(&file, &error))?;
            }
        }
        Ok(())
    }
}

/// The charts that `view` has room for.
pub(crate) fn charts(view: &View, inputs: &Inputs, is_quiet: bool) -> io::Result<Vec<ConnectionChart>> {
    let plan = view.plan();
    let wanted: Vec<_> =
        plan.iter().map(|(entry, budget)| (entry.source, Wanted::whole(&entry.connection, *budget))).collect();
    let recordings = second_look::gather(inputs, &wanted, is_quiet)?;
    let drawn = plan.iter().zip(recordings);
    Ok(drawn.filter_map(|((entry, _), r)| Some(ConnectionChart::new(&entry.connection, &r?))).collect())
}

fn named(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

impl Sink for Charts<'_> {
    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.survey.add(connection);
        Ok(())
    }

    fn skip_source(&mut self) {
        self.survey.skip_source();
    }

    fn end_of_source(&mut self, captures: Vec<CaptureFacts>, number: &dyn Fn(&Connection) -> u64) -> io::Result<()> {
        self.survey.end_of_source(captures, number);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let view = View::new(std::mem::take(&mut self.survey), self.language, false);
        if let Some(file) = &self.args.html {
            self.write_page(&view, file)?;
        }
        if let Some(folder) = &self.args.svg {
            self.write_pictures(&view, folder)?;
        }
        Ok(())
    }
}
