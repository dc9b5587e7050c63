use thiserror::Error;

/// A tunable of the search: its name, default and the range a tuner may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterSpec {
    /// The field's name.
    pub name: &'static str,
    /// What it is without tuning.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
}

/// Why a tunable was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// There is none of that name.
    #[error("no search parameter is called {0:?}")]
    Unknown(String),
    /// It cannot be that.
    #[error("search parameter {name} cannot be {value}; wanted {min} to {max}")]
    Range {
        /// Which.
        name: &'static str,
        /// What was asked for.
        value: i32,
        /// The least value.
        min: i32,
        /// The largest value.
        max: i32,
    },
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $min:literal, $max:literal;)*) => {
        /// Every tunable of the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Parameters {
            /// All tunables in order of declaration.
            pub const LIST: &'static [ParameterSpec] = &[$(ParameterSpec {
                name: stringify!($name), default: $default, min: $min, max: $max,
            },)*];

            /// Sets one by name.
            ///
            /// # Errors
            /// An unknown name, or a value outside its range.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
                match name {
                    $(stringify!($name) => {
                        if !($min..=$max).contains(&value) {
                            let (min, max) = ($min, $max);
                            return Err(ParameterError::Range {
                                name: stringify!($name), value, min, max,
                            });
                        }
                        self.$name = value;
                    })*
                    _ => return Err(ParameterError::Unknown(name.to_owned())),
                }
                Ok(())
            }
        }
    };
}

parameters! {
    /// Aspiration: half width of the first window, in centipawns.
    aspiration: 12, 4, 50;
    /// Reverse futility: margin per ply of depth.
    reverse_futility: 70, 30, 150;
    /// Reverse futility: depth up to which it is tried.
    reverse_futility_depth: 8, 3, 14;
    /// Razoring: margin at no depth.
    razor: 250, 100, 600;
    /// Razoring: margin per squared ply of depth.
    razor_depth: 120, 30, 400;
    /// Razoring: depth up to which it is tried.
    razor_max_depth: 4, 1, 8;
    /// Null move: reduction without regard to depth.
    null_base: 4, 2, 6;
    /// Null move: plies of depth per further ply of reduction.
    null_divisor: 4, 2, 8;
    /// Null move: centipawns above beta per further ply of reduction.
    null_eval: 180, 80, 400;
    /// Null move: how far the evaluation must exceed beta at no depth.
    null_margin: 160, 0, 400;
    /// Null move: that margin's fall per ply of depth.
    null_margin_depth: 20, 0, 50;
    /// Null move: depth from which a cutoff is verified.
    null_verify_depth: 14, 8, 30;
    /// Internal iterative reduction: depth from which it is done.
    iir_depth: 4, 2, 8;
    /// Chance nodes: depth from which unlikely events are searched a ply less deep.
    chance_reduction_depth: 2, 1, 99;
    /// Chance nodes: the probability in per cent below which an event is unlikely.
    chance_unlikely: 25, 1, 50;
    /// Chance nodes: plies less deep for each halving of the probability, in quarters, where events
    /// change the board.
    chance_board_reduction: 4, 0, 12;
    /// `ProbCut`: margin above beta.
    probcut: 170, 80, 350;
    /// `ProbCut`: depth from which it is tried.
    probcut_depth: 5, 3, 9;
    /// Late move pruning: moves tried at no depth.
    late_moves: 3, 1, 8;
    /// Futility: margin at no depth.
    futility: 90, 20, 250;
    /// Futility: margin per ply of depth.
    futility_depth: 85, 30, 180;
    /// Futility: depth up to which it is tried.
    futility_max_depth: 8, 3, 14;
    /// History pruning: threshold per ply of depth.
    history_prune: 3000, 1000, 8000;
    /// History pruning: depth up to which it is tried.
    history_prune_depth: 5, 1, 10;
    /// Exchange pruning of quiet moves: margin per squared ply of depth.
    exchange_quiet: 22, 8, 60;
    /// Exchange pruning of quiet moves: depth up to which it is tried.
    exchange_quiet_depth: 9, 3, 14;
    /// Exchange pruning of captures: margin per ply of depth.
    exchange_noisy: 95, 40, 200;
    /// Exchange pruning of captures: depth up to which it is tried.
    exchange_noisy_depth: 8, 3, 14;
    /// Singular extension: depth from which it is tried.
    singular_depth: 6, 4, 12;
    /// Singular extension: margin per ply of depth, in sixteenths.
    singular_margin: 20, 6, 60;
    /// Singular extension: how far below the margin doubles it.
    singular_double: 18, 2, 60;
    /// Late move reduction: base, in 1024ths of a ply.
    reduction_base: 1200, 0, 2048;
    /// Late move reduction: divisor of the product of logarithms, in 1024ths.
    reduction_divisor: 1600, 1400, 4000;
    /// Late move reduction: less for a quiet move's history, history per ply.
    reduction_history: 9000, 3000, 20000;
    /// Late move reduction: less on the principal variation, in 1024ths.
    reduction_pv: 1024, 0, 2048;
    /// Late move reduction: more at expected cut nodes, in 1024ths.
    reduction_cut: 1400, 0, 3072;
    /// Late move reduction: more while not improving, in 1024ths.
    reduction_worse: 700, 0, 2048;
    /// Late move reduction: more when the table's action is noisy, in 1024ths.
    reduction_noisy: 800, 0, 2048;
    /// Late move reduction: less for a move that gives check, in 1024ths.
    reduction_check: 900, 0, 2048;
    /// Late move reduction: more where many siblings were cut off, in 1024ths.
    reduction_cutoffs: 700, 0, 2048;
    /// History bonus: per ply of depth.
    history_bonus: 170, 60, 400;
    /// History bonus: at most.
    history_bonus_max: 1700, 600, 4000;
    /// Quiescence: margin of futility.
    quiescence: 130, 40, 300;
    /// Correction history: weight of a correction, in 256ths.
    correction: 128, 0, 512;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_set_checks_them() {
        let mut parameters = Parameters::default();
        for spec in Parameters::LIST {
            assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.name);
            parameters.set(spec.name, spec.max).unwrap();
            assert!(parameters.set(spec.name, spec.max + 1).is_err());
        }
        assert_eq!(parameters.aspiration, 50);
        assert!(parameters.set("aspirations", 3).is_err());
    }
}
