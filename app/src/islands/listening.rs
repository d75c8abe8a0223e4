//! Listens to events of an element until it is dropped.

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventTarget};

type Handler = Closure<dyn FnMut(Event)>;

/// The listeners of an element. They are removed when this is dropped.
pub(super) struct Listening {
    target: EventTarget,
    handlers: Vec<(&'static str, Handler)>,
}

impl Listening {
    pub(super) fn to(target: impl Into<EventTarget>) -> Self {
        Self {
            target: target.into(),
            handlers: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, event: &'static str, handler: Box<dyn FnMut(Event)>) {
        let handler = Handler::wrap(handler);
        let function = handler.as_ref().unchecked_ref();
        // Does not fail for an event with a name.
        let _ = self
            .target
            .add_event_listener_with_callback(event, function);
        self.handlers.push((event, handler));
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        for (event, handler) in &self.handlers {
            let function = handler.as_ref().unchecked_ref();
            let _ = self
                .target
                .remove_event_listener_with_callback(event, function);
        }
    }
}
