//! The pointers that are down: drags, and pinches of two fingers.

use crate::charts::Frame;

/// How far a pointer may move between press and release of a click, in pixels. Farther is a drag.
const STILL: i32 = 6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pointer {
    pub(super) id: i32,
    /// In pixels of the screen.
    pub(super) screen: (i32, i32),
    /// In units of the drawing.
    pub(super) x: f64,
}

/// A pointer's button or a finger that is down, or was down last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Press {
    start: Pointer,
    now: Pointer,
    pub(super) is_drag: bool,
    pub(super) is_finger: bool,
    /// Whether the finger shows a point that was not shown before. This tap reads the point and does not open it.
    pub(super) is_for_reading: bool,
}

/// The pointers that are down, and the pointer that was released last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Presses {
    down: Vec<Press>,
    last: Option<Press>,
}

/// Two fingers: where they were pressed, and where they are now, in units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pinch {
    start: (f64, f64),
    now: (f64, f64),
}

impl Presses {
    pub(super) fn pressed(&mut self, pointer: Pointer, is_finger: bool, is_for_reading: bool) {
        self.down.retain(|press| press.start.id != pointer.id);
        self.down.push(Press {
            start: pointer,
            now: pointer,
            is_drag: false,
            is_finger,
            is_for_reading,
        });
    }

    pub(super) fn moved(&mut self, pointer: Pointer) {
        let moved = self
            .down
            .iter_mut()
            .find(|press| press.start.id == pointer.id);
        if let Some(press) = moved {
            let (start, now) = (press.start.screen, pointer.screen);
            press.is_drag |= (start.0 - now.0).abs() > STILL || (start.1 - now.1).abs() > STILL;
            press.now = pointer;
        }
    }

    pub(super) fn released(&mut self, id: i32) {
        if let Some(index) = self.down.iter().position(|press| press.start.id == id) {
            self.last = Some(self.down.remove(index));
        }
    }

    pub(super) fn clear(&mut self) {
        self.down.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.down.is_empty()
    }

    /// The press that a click follows.
    pub(super) fn last(&self) -> Option<Press> {
        self.last
    }

    /// Where the drag of a single pointer started and where it is, in units of the drawing; `None` without a movement across.
    pub(super) fn dragged(&self) -> Option<(f64, f64)> {
        let [press] = self.down[..] else { return None };
        let across = (press.start.screen.0 - press.now.screen.0).abs();
        (press.is_drag && across > STILL).then_some((press.start.x, press.now.x))
    }

    pub(super) fn pinched(&self) -> Option<Pinch> {
        let [first, second] = self.down[..] else {
            return None;
        };
        (first.is_drag || second.is_drag).then_some(Pinch {
            start: (first.start.x, second.start.x),
            now: (first.now.x, second.now.x),
        })
    }
}

impl Pinch {
    /// The times at both ends of the axis, so that the times under the fingers moved along with them.
    pub(super) fn period(self, frame: &Frame) -> (i64, i64) {
        let ordered = |(a, b): (f64, f64)| (a.min(b), a.max(b));
        let (start, now) = (ordered(self.start), ordered(self.now));
        let spread = (now.1 - now.0).max(1.0) / (start.1 - start.0).max(1.0);
        let before = |x: f64| start.0 + (x - now.0) / spread;
        frame.times_between(before(frame.across.start), before(frame.across.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer(id: i32, x: i32) -> Pointer {
        Pointer {
            id,
            screen: (x, 100),
            x: f64::from(x),
        }
    }

    #[test]
    fn a_pointer_drags_after_six_pixels_and_stays_a_drag_when_it_returns() {
        let mut presses = Presses::default();
        presses.pressed(pointer(1, 50), false, false);
        presses.moved(pointer(1, 56));
        assert_eq!(presses.dragged(), None);
        presses.moved(pointer(1, 90));
        assert_eq!(presses.dragged(), Some((50.0, 90.0)));
        presses.moved(pointer(1, 50));
        assert_eq!(presses.dragged(), None);
        presses.released(1);
        assert!(presses.is_empty() && presses.last().expect("a press").is_drag);
    }

    #[test]
    fn a_drag_up_or_down_selects_nothing() {
        let mut presses = Presses::default();
        presses.pressed(pointer(1, 50), false, false);
        presses.moved(Pointer {
            screen: (50, 200),
            ..pointer(1, 50)
        });
        assert_eq!(presses.dragged(), None);
    }

    #[test]
    fn two_pointers_pinch_and_do_not_drag() {
        let mut presses = Presses::default();
        presses.pressed(pointer(1, 400), true, false);
        presses.pressed(pointer(2, 500), true, false);
        presses.moved(pointer(1, 300));
        assert_eq!(presses.dragged(), None);
        let pinch = presses.pinched().expect("a pinch");
        assert_eq!((pinch.start, pinch.now), ((400.0, 500.0), (300.0, 500.0)));
    }
}
