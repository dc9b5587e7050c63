//! The search: one for all games.

mod control;
mod desk;
mod limits;
mod report;
mod settings;

pub use control::Control;
pub use desk::{Desk, DeskError};
pub use limits::{Clock, Limits};
pub use report::{Bound, Info, Report, ScoreText};
pub use settings::Settings;

/// A desk for the game of that setup, at its start position, over these settings.
///
/// # Errors
/// The hash table could not be had.
pub fn open_desk(setup: &crate::game::AnySetup, settings: &Settings) -> Box<dyn Desk> {
    let _ = (setup, settings);
    todo!("the search")
}
