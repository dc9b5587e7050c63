use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use memmap2::{MmapMut, MmapOptions};
use rayon::prelude::*;

use crate::core::{MATE_IN_MAX, Score};

use super::Bound;

/// What the table remembers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best action's number, 0 if none is known.
    pub action: u32,
    /// The score found.
    pub score: Score,
    /// The uncorrected evaluation, [`Entry::NO_EVAL`] if there was none.
    pub eval: Score,
    /// The depth searched, in plies.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// Whether the position lay on a principal variation.
    pub pv: bool,
}

impl Entry {
    /// Stands for a missing evaluation.
    pub const NO_EVAL: Score = i16::MIN as Score;

    /// Whether the score settles a search with that window.
    pub(super) fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// The score where it says more of the position than its evaluation, else the evaluation.
    pub(super) fn refined(&self, eval: Score) -> Score {
        let says_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > eval,
            Bound::Upper => self.score < eval,
        };
        if says_more && self.score.abs() < MATE_IN_MAX { self.score } else { eval }
    }
}

/// Key fragments in both words make a torn pair look like another position.
#[derive(Debug)]
struct Slot {
    /// Action (32 bits), key (low 32).
    first: AtomicU64,
    /// Score (16), evaluation (16), depth (8), generation, pv and bound (8), key (next 16).
    second: AtomicU64,
}

const SLOTS: usize = 4;

#[derive(Debug)]
#[repr(align(64))]
struct Cluster([Slot; SLOTS]);

const GENERATIONS: u8 = 32;

/// The transposition table: shared by all threads without locks, the same for all games.
#[derive(Debug)]
pub struct Table {
    /// Zeroed pages that nothing but [`Table::clusters`] touches.
    memory: MmapMut,
    generation: AtomicU8,
}

impl Table {
    /// An empty table of that many MiB; `None` if there is not that much memory.
    pub fn new(mebibytes: usize) -> Option<Self> {
        Self::with_gain(mebibytes, 0)
    }

    /// An empty table of that many MiB, to be used instead of a former one, whose memory is free then;
    /// `None` if there is not that much.
    pub fn in_place_of(former: &Self, mebibytes: usize) -> Option<Self> {
        // What was never touched of a table takes no memory.
        let touched = resident_memory().unwrap_or(0).min(former.memory.len() as u64);
        Self::with_gain(mebibytes, touched)
    }

    fn with_gain(mebibytes: usize, gain: u64) -> Option<Self> {
        let bytes = mebibytes.checked_mul(1 << 20)?;
        // An overcommitting kernel would grant what it cannot give.
        let is_too_large = |available: u64| bytes as u64 > available.saturating_add(gain);
        if available_memory().is_some_and(is_too_large)
            || memory_limit().is_some_and(|limit| bytes as u64 > limit)
        {
            return None;
        }
        let memory = MmapOptions::new().len(bytes.max(size_of::<Cluster>())).map_anon().ok()?;
        // Look-ups go all over the table: with small pages each would miss the TLB.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self { memory, generation: AtomicU8::new(0) })
    }

    #[inline(always)]
    fn clusters(&self) -> &[Cluster] {
        let count = self.memory.len() / size_of::<Cluster>();
        // SAFETY: pages are aligned to more than a cluster's 64 bytes, zeros are valid atomics, and
        // the mapping lives as long as `self` and is reached in no other way.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), count) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.clusters().par_iter().for_each(|cluster| {
            for slot in &cluster.0 {
                slot.first.store(0, Ordering::Relaxed);
                slot.second.store(0, Ordering::Relaxed);
            }
        });
    }

    /// Begins a new search: older entries give way first.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.clusters();
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    /// Starts loading a position's cluster into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch touches nothing, and SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position; mate scores count from it at distance `ply` of the root.
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in &self.cluster(key).0 {
            let first = slot.first.load(Ordering::Relaxed);
            let second = slot.second.load(Ordering::Relaxed);
            if (first >> 32) as u32 != key as u32 || second >> 48 != key >> 32 & 0xffff {
                continue;
            }
            let meta = (second >> 40) as u8;
            let bound = match meta & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => continue,
            };
            let score = Score::from(second as i16);
            let ply = ply as Score;
            let score = match score {
                MATE_IN_MAX.. => score - ply,
                s if s <= -MATE_IN_MAX => score + ply,
                _ => score,
            };
            return Some(Entry {
                action: first as u32,
                score,
                eval: Score::from((second >> 16) as i16),
                depth: i32::from((second >> 32) as i8),
                bound,
                pv: meta & 4 != 0,
            });
        }
        None
    }

    /// Remembers a position. An action already known is kept if the new entry has none.
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut chosen = &cluster.0[0];
        let mut least = i32::MAX;
        let mut action = entry.action;
        for slot in &cluster.0 {
            let first = slot.first.load(Ordering::Relaxed);
            let second = slot.second.load(Ordering::Relaxed);
            let (meta, depth) = ((second >> 40) as u8, i32::from((second >> 32) as i8));
            if (first >> 32) as u32 == key as u32 && second >> 48 == key >> 32 & 0xffff {
                let fresh = meta >> 3 == generation;
                let keep = entry.bound != Bound::Exact && entry.depth + 4 <= depth && fresh;
                if keep {
                    return;
                }
                if action == 0 {
                    action = first as u32;
                }
                chosen = slot;
                break;
            }
            let age = (GENERATIONS + generation - (meta >> 3)) % GENERATIONS;
            let value =
                if meta.trailing_zeros() >= 2 { i32::MIN } else { depth - 8 * i32::from(age) };
            if value < least {
                least = value;
                chosen = slot;
            }
        }
        let distance = ply as Score;
        let score = match entry.score {
            MATE_IN_MAX.. => entry.score + distance,
            s if s <= -MATE_IN_MAX => entry.score - distance,
            s => s,
        };
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let meta = generation << 3 | u8::from(entry.pv) << 2 | bound;
        let second = u64::from(score as u16)
            | u64::from(entry.eval as u16) << 16
            | u64::from(entry.depth.clamp(-100, 127) as u8) << 32
            | u64::from(meta) << 40
            | (key >> 32 & 0xffff) << 48;
        chosen.first.store(u64::from(action) | key << 32, Ordering::Relaxed);
        chosen.second.store(second, Ordering::Relaxed);
    }

    /// Per mille of the table used by the current search, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters()[..self.clusters().len().min(1000)];
        let used: usize = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| (slot.second.load(Ordering::Relaxed) >> 40) as u8)
            .filter(|meta| meta & 3 != 0 && meta >> 3 == generation)
            .count();
        (used * 1000 / (sample.len() * SLOTS).max(1)) as u32
    }
}

/// A quantity of memory in bytes that Linux tells on a line of a file in KiB.
fn told_memory(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = value.split_ascii_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The memory that can be had without swapping, in bytes, where the system says.
fn available_memory() -> Option<u64> {
    told_memory("/proc/meminfo", "MemAvailable:")
}

/// The memory that this process takes, in bytes, where the system says.
fn resident_memory() -> Option<u64> {
    told_memory("/proc/self/status", "VmRSS:")
}

/// What a container may take at most, in bytes, where there is such a limit.
fn memory_limit() -> Option<u64> {
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{mate_in, mated_in};

    fn entry(score: Score, depth: i32) -> Entry {
        Entry { action: 77, score, eval: -31, depth, bound: Bound::Exact, pv: true }
    }

    #[test]
    fn what_was_stored_is_found() {
        let table = Table::new(1).unwrap();
        for key in (0..2000_u64).map(crate::core::zobrist::mix) {
            assert_eq!(table.probe(key, 0), None);
            table.store(key, 0, entry(-123, 9));
            assert_eq!(table.probe(key, 0), Some(entry(-123, 9)));
        }
        table.clear();
        assert_eq!(table.probe(crate::core::zobrist::mix(5), 0), None);
    }

    #[test]
    fn mates_count_from_the_position() {
        let table = Table::new(1).unwrap();
        table.store(9 << 40, 3, entry(mate_in(7), 5));
        assert_eq!(table.probe(9 << 40, 10).unwrap().score, mate_in(14));
        table.store(8 << 40, 3, entry(mated_in(7), 5));
        assert_eq!(table.probe(8 << 40, 0).unwrap().score, mated_in(4));
    }

    #[test]
    fn a_known_action_outlives_an_entry_without_one() {
        let table = Table::new(1).unwrap();
        table.store(1, 0, entry(0, 5));
        table.store(1, 0, Entry { action: 0, ..entry(4, 6) });
        assert_eq!(table.probe(1, 0), Some(entry(4, 6)));
    }

    #[test]
    fn no_table_is_larger_than_the_memory() {
        assert!(Table::new(1 << 40).is_none());
        let table = Table::new(2).unwrap();
        assert!(Table::in_place_of(&table, 1 << 40).is_none());
        assert_eq!(Table::in_place_of(&table, 3).unwrap().memory.len(), 3 << 20);
    }
}
