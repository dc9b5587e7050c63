use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// How other threads steer a search that runs: shared by reference or `Arc`, never copied.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder: AtomicBool,
    changed: Mutex<()>,
    wake: Condvar,
}

impl Control {
    /// A control for a new search; `ponder` if it runs on the opponent's time.
    pub fn new(ponder: bool) -> Self {
        Self { ponder: AtomicBool::new(ponder), ..Self::default() }
    }

    /// Ends the search as soon as can be.
    pub fn stop(&self) {
        self.change(|control| control.stop.store(true, Ordering::SeqCst));
    }

    /// The opponent made the expected move: the search runs on our time from now on.
    pub fn ponderhit(&self) {
        self.change(|control| control.ponder.store(false, Ordering::SeqCst));
    }

    fn change(&self, what: impl FnOnce(&Self)) {
        let guard = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        what(self);
        drop(guard);
        self.wake.notify_all();
    }

    /// Whether the search has to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag behind [`Control::is_stopped`], for code that knows only of a flag.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the search runs on the opponent's time.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.ponder.load(Ordering::Relaxed)
    }

    /// Sleeps until the search is stopped or, if `or_ponderhit`, until it is no longer pondering.
    pub fn wait(&self, or_ponderhit: bool) {
        let mut guard = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = || {
            self.stop.load(Ordering::SeqCst) || or_ponderhit && !self.ponder.load(Ordering::SeqCst)
        };
        while !is_over() {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
