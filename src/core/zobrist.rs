//! Zobrist keys (Zobrist 1970): fixed random numbers for every feature of a position, so that a
//! hash is the XOR of its features and is the same on every machine.

/// One step of splitmix64 (Steele, Lea and Flood 2014), a bijection on 64 bits.
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys<const N: usize>(domain: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = mix(mix(domain) ^ i as u64);
        i += 1;
    }
    table
}

const PIECES: usize = 64;
const SQUARES: usize = 128;

static PIECE: [u64; PIECES * SQUARES] = keys(1);
static CASTLING: [u64; SQUARES] = keys(2);
static EP: [u64; SQUARES] = keys(3);
static BOOM: [u64; SQUARES] = keys(5);
const CARD: u64 = mix(6);
const POOL: u64 = mix(8);

/// Of Black to move.
pub const BLACK: u64 = mix(4);

/// Of the piece with that code (below 64) on that square.
#[inline(always)]
pub fn piece(code: usize, square: usize) -> u64 {
    PIECE[(code % PIECES) * SQUARES + square % SQUARES]
}

/// Of the right to castle with the rook on that square.
#[inline(always)]
pub fn castling(square: usize) -> u64 {
    CASTLING[square % SQUARES]
}

/// Of a legal en passant capture on that square.
#[inline(always)]
pub fn ep(square: usize) -> u64 {
    EP[square % SQUARES]
}

/// Of a pawn on that square that is about to explode.
#[inline(always)]
pub fn boom(square: usize) -> u64 {
    BOOM[square % SQUARES]
}

/// Of so many copies of that card, counted from 0, being left in the deck; none are no feature.
/// Worked out, not looked up: cards are drawn seldom.
pub const fn card(card: usize, left: u8) -> u64 {
    if left == 0 { 0 } else { mix(CARD ^ ((card as u64) << 8 | left as u64)) }
}

/// Of so many men of that piece code having been lost; none are no feature. Worked out, not looked
/// up, as cards are.
pub const fn lost(code: usize, count: u16) -> u64 {
    if count == 0 { 0 } else { mix(POOL ^ ((code as u64) << 16 | count as u64)) }
}
