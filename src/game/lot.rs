use super::Game;

/// The event that a number picks at a chance position: equally likely numbers give events as likely
/// as the rules say.
///
/// The weights, in the order of [`Game::outcomes`], share out the numbers; a share is exact but for
/// one part in 2³².
pub fn drawn_event<G: Game>(position: &G, number: u64) -> G::Action {
    let mut events = Vec::new();
    position.outcomes(|event, weight| events.push((event, weight)));
    let total: u64 = events.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let mut lot = ((u128::from(number) * u128::from(total)) >> 64) as u64;
    for &(event, weight) in &events {
        let weight = u64::from(weight);
        if lot < weight {
            return event;
        }
        lot -= weight;
    }
    unreachable!("a lot is below the sum of the weights")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnySetup, GameOptions, with_game};

    /// Numbers at equal distances meet every event in the share that is its probability.
    #[test]
    fn numbers_are_shared_out_by_weight() {
        let any = AnySetup::named("equalizer", &GameOptions::default()).unwrap();
        let mut counts = std::collections::BTreeMap::new();
        with_game!(any, G, setup => {
            let start = G::start(&setup);
            for step in 0..1000_u64 {
                let event = drawn_event(&start, step * (u64::MAX / 1000));
                *counts.entry(start.action_text(&setup, event)).or_insert(0) += 1;
            }
        });
        let counts: Vec<_> = counts.iter().map(|(event, count)| (&event[..], *count)).collect();
        let wanted = ["roll:*", "roll:B", "roll:K", "roll:N", "roll:P", "roll:Q", "roll:R"];
        assert_eq!(counts.iter().map(|&(event, _)| event).collect::<Vec<_>>(), wanted);
        for (event, count) in counts {
            let share: i32 = if event == "roll:P" { 400 } else { 100 };
            assert!((share - count).abs() <= 1, "{event} {count}");
        }
    }
}
