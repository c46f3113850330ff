//! Pictures of a direction over time, from a second pass over its packets.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tcpwhy_analysis::principal_half;
use tcpwhy_engine::{Plan, Source, read};
use tcpwhy_model::Message;
use tcpwhy_model::foreign::quoted;
use tcpwhy_view::chart::Budget;
use tcpwhy_view::svg::{self, Chart, Style, Tops};
use tcpwhy_view::{Gatherer, Recorded};

use crate::analyse::Content;
use crate::errors::{Failure, raised};
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::language::Words;

/// Nanoseconds per second.
const NANOS: f64 = 1e9;

/// Colours of a picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Theme {
    /// The colours preferred by the reader's system.
    #[default]
    Auto,
    /// Light background.
    Light,
    /// Dark background.
    Dark,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Theme {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<String>()?.as_str() {
            "auto" => Ok(Self::Auto),
            "light" => Ok(Self::Light),
            "dark" => Ok(Self::Dark),
            other => Err(raised::<PyValueError>(
                Words::default(),
                &Message::new("python-theme").with("given", quoted(other)),
            )),
        }
    }
}

impl From<Theme> for svg::Theme {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Auto => Self::Auto,
            Theme::Light => Self::Light,
            Theme::Dark => Self::Dark,
        }
    }
}

/// Parameters of the picture.
pub(crate) struct Wanted {
    pub(crate) half: Option<usize>,
    pub(crate) theme: Theme,
    pub(crate) stretch: Option<(f64, f64)>,
}

/// An SVG picture. `str()` of it is its source; notebooks display it.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Picture(String);

impl Picture {
    pub(crate) const fn new(svg: String) -> Self {
        Self(svg)
    }
}

#[pymethods]
impl Picture {
    fn __str__(&self) -> &str {
        &self.0
    }

    /// The picture, for notebooks.
    fn _repr_svg_(&self) -> &str {
        &self.0
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Picture: SVG, {} bytes>", self.0.len())
    }
}

/// Draws a direction of connection `at`.
pub(crate) fn draw(py: Python<'_>, content: &Arc<Content>, at: usize, wanted: &Wanted) -> PyResult<Picture> {
    if content.inputs.is_empty() || !content.inputs.iter().all(Input::is_repeatable) {
        return Err(raised::<PyValueError>(content.words, &Message::new("python-chart-source")));
    }
    let connection = &content.connections[at];
    let half = match wanted.half {
        Some(half) => connection.halves.get(half),
        None => principal_half(connection),
    };
    let half = half.ok_or_else(|| raised::<PyValueError>(content.words, &Message::new("python-chart-half")))?;
    if let Some((from, to)) = wanted.stretch
        && !(from >= 0.0 && from < to && to.is_finite())
    {
        return Err(raised::<PyValueError>(content.words, &Message::new("python-chart-stretch")));
    }
    let recorded =
        py.detach(|| record(content, at, wanted.stretch)).map_err(|failure| failure.error(py, content.words))?;
    let recorded =
        recorded.ok_or_else(|| raised::<PyValueError>(content.words, &Message::new("python-chart-changed")))?;
    let (theme, language, stretch) = (wanted.theme.into(), content.words.language(), wanted.stretch);
    let style = Style { theme, language, stretch, tops: Tops::OWN };
    Ok(Picture(svg::picture(connection, half, &recorded.recording, &Chart::ALL, style)))
}

fn record(content: &Content, at: usize, stretch: Option<(f64, f64)>) -> Result<Option<Recorded>, Failure> {
    let stop = AtomicBool::new(false);
    let mut interrupt = Interrupt::new(&stop);
    let open = |index: usize| content.inputs[index].open(content.names.get(index).map_or("", String::as_str));
    let merged = Some(content.inputs.len()).filter(|&count| count > 1);
    let source = Source::open(0, merged, open)?;
    let stretch = stretch.map(|(from, to)| ((from * NANOS) as i64, (to * NANOS) as i64));
    let whole = tcpwhy_view::Wanted::whole(&content.connections[at], Budget::PICTURE);
    let mut gatherer = Gatherer::new(&[tcpwhy_view::Wanted { stretch, ..whole }]);
    let plan = Plan { stop: &stop, ..Plan::default() };
    let read = read(source, &plan, &mut |_, _| interrupt.check(), &mut |batch| gatherer.observe_all(batch));
    if let Some(error) = interrupt.into_error() {
        return Err(Failure::Python(error));
    }
    read.map_err(Failure::Other)?;
    Ok(gatherer.finish().into_iter().next().flatten())
}
