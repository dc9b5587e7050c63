//! The command line of alea.
fn main() {}
