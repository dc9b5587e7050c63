//! The search: one for all games.

mod chance;
mod control;
mod desk;
mod engine;
mod history;
mod iterate;
mod limits;
mod node;
mod parameters;
mod picker;
mod quiescence;
mod report;
mod settings;
mod strength;
mod table;
mod time;
mod wdl;
mod worker;

use std::sync::Arc;

pub use control::Control;
pub use desk::{Desk, DeskError};
pub(crate) use engine::STACK;
pub use engine::{Engine, Summary};
pub use limits::{Clock, Limits};
pub use parameters::{ParameterError, ParameterSpec, Parameters};
pub use report::{Bound, Info, Next, OutcomeInfo, Report, ScoreText};
pub use settings::{Method, Settings, Star};
pub use table::{Entry, Table};

use crate::game::{AnySetup, with_game};

/// A desk for the game of that setup, at its start position, over a table of the size that the
/// settings say.
pub fn open_desk(setup: &AnySetup, settings: &Settings, table: Arc<Table>) -> Box<dyn Desk> {
    let (variant, settings) = (setup.variant(), settings.clone());
    with_game!(setup, G, setup => {
        Box::new(Engine::<G>::new(variant, setup.to_owned(), settings, table))
    })
}
