/// The normal game and the nine others of the rulebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each turn begins with a roll.
    Normal,
    /// As [`Mode::Normal`] for the first moves, then chess.
    TieBreak,
    /// The strong side rolls, the other does not.
    Handicap,
    /// The weak side now and then chooses between two dice; the other die binds the strong side.
    Weaker,
    /// Now and then both sides roll, and the stronger face chooses.
    Winners,
    /// Once both sides roll, and the stronger face moves first.
    BackToBack,
    /// Who has captured rolls for the next move, when its turn comes.
    CaptureRoll,
    /// Who has captured rolls for the next move, at once.
    Forecast,
    /// As [`Mode::Forecast`], and at once picks the very man.
    Specific,
    /// Who could capture and refuses to, rolls.
    Options,
}

impl Mode {
    /// All of them, in the order of the rulebook.
    pub const ALL: [Self; 10] = [
        Self::Normal,
        Self::TieBreak,
        Self::Handicap,
        Self::Weaker,
        Self::Winners,
        Self::BackToBack,
        Self::CaptureRoll,
        Self::Forecast,
        Self::Specific,
        Self::Options,
    ];

    /// The value of `UCI_Variant`.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Normal => "equalizer",
            Self::TieBreak => "equalizer-tiebreak",
            Self::Handicap => "equalizer-handicap",
            Self::Weaker => "equalizer-weaker",
            Self::Winners => "equalizer-winners",
            Self::BackToBack => "equalizer-backtoback",
            Self::CaptureRoll => "equalizer-captureroll",
            Self::Forecast => "equalizer-forecast",
            Self::Specific => "equalizer-specific",
            Self::Options => "equalizer-options",
        }
    }

    /// The mode of that `UCI_Variant`.
    pub fn named(variant: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.variant() == variant)
    }

    /// The count of moves that the mode has, where nothing else is said.
    pub const fn period(self) -> Option<u32> {
        match self {
            Self::TieBreak => Some(5),
            Self::Weaker | Self::Winners => Some(3),
            Self::BackToBack => Some(2),
            _ => None,
        }
    }

    /// Whether one side is called the strong one.
    pub const fn has_strong(self) -> bool {
        matches!(self, Self::Handicap | Self::Weaker)
    }

    /// Whether dice may wait for a side's next turn.
    pub const fn has_next(self) -> bool {
        matches!(
            self,
            Self::Winners | Self::BackToBack | Self::CaptureRoll | Self::Forecast | Self::Specific
        )
    }

    /// The tokens of its FENs, in their order.
    pub const fn keys(self) -> &'static [&'static str] {
        match (self.has_strong(), self.period().is_some(), self.has_next()) {
            (true, true, _) => &["strong", "period", "die"],
            (true, false, _) => &["strong", "die"],
            (false, true, true) => &["period", "die", "next"],
            (false, true, false) => &["period", "die"],
            (false, false, true) => &["die", "next"],
            (false, false, false) => &["die"],
        }
    }
}
