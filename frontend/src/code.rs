//! The lines of a source file: `n`, `p` and `c`, or the buttons with `data-step`, go to the next line that was missed, the one
//! before, and the next changed one; Shift and a click on a second line select the lines between.

use crate::{
    dom::{all, around, document, first, main, on, window},
    keys,
    palette::is_writing,
};
use leptos::{
    ev,
    wasm_split::{SplitLoaderError, wasm_split},
};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent, Node};

const ROWS: &str = ".rows [id]";

thread_local! {
    static LISTENS: Cell<bool> = const { Cell::new(false) };
}

/// Makes the lines in a new part of the page react. Most pages have none, so the code is loaded here. If it cannot be loaded, the
/// buttons are links to the first of their lines.
pub(crate) fn prepare(part: &Element) {
    if first::<Element>(part, ".source").is_some() {
        spawn_local(async { drop(start().await) });
    }
}

#[wasm_split(code, fallible, wasm_split_path = leptos::wasm_split)]
fn start() -> Result<(), SplitLoaderError> {
    if !LISTENS.replace(true) {
        listen();
    }
    mark();
    announce();
    if let Some(rows) = main().and_then(|main| first::<Element>(&main, ".rows")) {
        // Tests wait for the attribute. Its name is valid.
        let _ = rows.set_attribute("data-keys", "");
    }
    Ok(())
}

fn listen() {
    let document = &document();
    on(document, ev::keydown, |event: KeyboardEvent| {
        let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
        let is_off = is_writing(&event) || !keys::are_on();
        if has_modifier || event.is_composing() || is_off {
            return;
        }
        match event.key().as_str() {
            "n" => step("gap"),
            "p" => step("-gap"),
            "c" => step("change"),
            _ => {}
        }
    });
    on(document, ev::click, |event: MouseEvent| {
        if let Some(step_to) = around(&event, "[data-step]") {
            event.prevent_default();
            step(&step_to.get_attribute("data-step").unwrap_or_default());
        } else if event.shift_key()
            && let Some(to) =
                around(&event, ".rows [id] > a").and_then(|link| link.parent_element())
            && let Some((from, _)) = chosen()
            && let Some(from) = row_of(&from)
        {
            event.prevent_default();
            let (from, to) = match is_after(&from, &to) {
                true => (from, to),
                false => (to, from),
            };
            go(&[&from.id(), "-", &to.id()].concat());
        }
    });
    on(&window(), ev::hashchange, |_| mark());
    on(document, ev::change, |event: Event| {
        if around(&event, keys::SWITCH).is_some() {
            announce();
        }
    });
}

/// Announces the keys of the buttons while they work.
fn announce() {
    let Some(main) = main() else { return };
    for step in all(&main, "[data-step]") {
        let key = step.get_attribute("data-key").filter(|_| keys::are_on());
        // The attribute name is valid.
        let _ = match key {
            Some(key) => step.set_attribute("aria-keyshortcuts", &key),
            None => step.remove_attribute("aria-keyshortcuts"),
        };
    }
}

/// Marks the lines that the hash names, and shows the current file in the list of files.
fn mark() {
    let Some(main) = main() else { return };
    if let Some(tree) = first::<HtmlElement>(&main, ".tree")
        && let Some(current) = first::<HtmlElement>(&tree, "[aria-current]")
    {
        tree.set_scroll_top(current.offset_top() - tree.offset_height() / 2);
    }
    let Some((from, to)) = chosen() else { return };
    // The server marks the lines in the parameter. The browser scrolls to the line in the hash, the first of these lines.
    let is_marked = |row: &Element| row.class_list().contains("on");
    if from == to && row_of(&from).as_ref().is_some_and(is_marked) {
        return;
    }
    // These class names are valid.
    for row in all(&main, ".rows .on") {
        let _ = row.class_list().remove_1("on");
    }
    if from == to {
        // `:target` marks it.
        return;
    }
    let (mut is_within, mut has_scrolled) = (false, false);
    for row in all(&main, ROWS) {
        let id = row.id();
        is_within |= id == from;
        if is_within {
            let _ = row.class_list().add_1("on");
            if !has_scrolled {
                row.scroll_into_view();
                has_scrolled = true;
            }
        }
        if id == to {
            break;
        }
    }
}

/// Goes to the next stop after the line that is chosen, or after a line in the window if that line is not in it; before it if `kind`
/// starts with `-`. After the last stop comes the first one.
fn step(kind: &str) {
    let Some(main) = main() else { return };
    let (kind, is_back) = match kind.strip_prefix('-') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let selector = [".rows [data-stop~=", kind, "]"].concat();
    let mut stops: Vec<_> = all(&main, &selector).collect();
    if is_back {
        stops.reverse();
    }
    let here = here();
    let is_ahead = |stop: &&Element| {
        here.as_ref().is_none_or(|here| match is_back {
            true => is_after(stop, here),
            false => is_after(here, stop),
        })
    };
    let Some(stop) = stops.iter().find(is_ahead).or(stops.first()) else {
        return;
    };
    go(&stop.id());
    if let Some(link) = first::<HtmlElement>(stop, "a") {
        // The line is marked too if it cannot be focused.
        let _ = link.focus();
    }
}

/// Writes the hash in place of the one before: steps through a file are no steps of the history. The browser scrolls to the line.
fn go(hash: &str) {
    let _ = window().location().replace(&["#", hash].concat());
}

fn here() -> Option<Element> {
    let height = window().inner_height().ok()?.as_f64()?;
    let is_shown = |row: &Element| {
        let place = row.get_bounding_client_rect();
        place.bottom() > 0.0 && place.top() < height
    };
    let chosen = chosen().and_then(|(from, _)| row_of(&from));
    chosen.filter(is_shown).or_else(|| {
        let rows = first::<Element>(&*main()?, ".rows")?;
        let left = rows.get_bounding_client_rect().left() as f32;
        let found = document().element_from_point(left + 40.0, height as f32 / 3.0)?;
        found.closest(ROWS).ok()?
    })
}

/// The ids of the first and the last line that the hash names: `#L41`, or `#L41-L46`.
fn chosen() -> Option<(String, String)> {
    let hash = window().location().hash().ok()?;
    let lines = hash
        .strip_prefix('#')
        .filter(|hash| hash.starts_with('L'))?;
    let (from, to) = lines.split_once('-').unwrap_or((lines, lines));
    Some((from.to_owned(), to.to_owned()))
}

fn row_of(id: &str) -> Option<Element> {
    document().get_element_by_id(id)
}

fn is_after(one: &Element, other: &Element) -> bool {
    let one: &Node = one.unchecked_ref();
    one.compare_document_position(other) & Node::DOCUMENT_POSITION_FOLLOWING != 0
}
