//! Putting a fetched page in the place of the one that is shown.

use super::{Address, Arrival};
use crate::browser::{document, islands, main, notice, refresh, window};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, FocusOptions, HtmlElement, HtmlInputElement};

/// Parts of a page outside of the main landmark that differ from page to page.
const ALSO_SWAPPED: [&str; 1] = ["#pages"];

/// Shows that a page is on its way, to eyes and to assistive technology.
pub(super) fn set_busy(is_busy: bool) {
    let busy = if is_busy { "true" } else { "false" };
    // Marking an element of the page does not fail.
    if let Some(main) = main() {
        let _ = main.set_attribute("aria-busy", busy);
    }
    if let Some(root) = document().document_element() {
        let _ = root.toggle_attribute_with_force("data-loading", is_busy);
    }
}

pub(super) fn show(new: &Document, address: &Address, arrival: Arrival) {
    let (Some(main), Some(new_main)) = (main(), new.get_element_by_id("main")) else {
        return address.load();
    };
    let focused = Focused::now();
    let before = main.inner_html();
    enter_history(address, arrival);
    if arrival == Arrival::Renewed && before == new_main.inner_html() {
        // Nothing new: whoever reads or has selected something is not disturbed.
        return refresh::again();
    }
    main.replace_children_with_node(&children(&new_main));
    for place in ALSO_SWAPPED {
        if let (Ok(Some(old)), Ok(Some(new))) =
            (document().query_selector(place), new.query_selector(place))
        {
            old.replace_children_with_node(&children(&new));
        }
    }
    document().set_title(&new.title());
    search_for(new, arrival);
    islands::hydrate(&main);
    match arrival {
        Arrival::New => arrive(&main, address),
        Arrival::Back => window().scroll_to_with_x_and_y(0.0, scroll_position()),
        Arrival::Replacing | Arrival::Renewed => focused.restore(&main),
    }
    if arrival != Arrival::Renewed {
        notice::announce(&new.title());
    }
}

fn children(of: &Element) -> Array {
    let children = Array::new();
    let nodes = of.child_nodes();
    for index in 0..nodes.length() {
        if let Some(node) = nodes.get(index) {
            children.push(&node);
        }
    }
    children
}

/// The top of the page, or the part of it that its address names, read from there.
fn arrive(main: &HtmlElement, address: &Address) {
    let part = address
        .hash()
        .and_then(|hash| document().get_element_by_id(hash))
        .and_then(|part| part.dyn_into::<HtmlElement>().ok());
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // Without a focus of its own the page is as readable as before.
    let _ = main.focus_with_options(&options);
    match part {
        Some(part) => part.scroll_into_view(),
        None => window().scroll_to_with_x_and_y(0.0, 0.0),
    }
}

/// The field of the search shows what the page was asked for, unless somebody is writing there.
fn search_for(new: &Document, arrival: Arrival) {
    let field = |document: &Document| document.get_element_by_id("search");
    if let (Some(old), Some(new)) = (field(&document()), field(new))
        && let Ok(old) = old.dyn_into::<HtmlInputElement>()
        && (arrival != Arrival::Replacing
            || !document()
                .active_element()
                .is_some_and(|focused| old.is_same_node(Some(&focused))))
    {
        old.set_value(&new.get_attribute("value").unwrap_or_default());
    }
}

/// A new page is a step of the history; the step before it remembers how far it was scrolled.
fn enter_history(address: &Address, arrival: Arrival) {
    let Ok(history) = window().history() else {
        return;
    };
    let url = Some(address.as_str());
    // A browser that refuses to write history still shows the page.
    let _ = match arrival {
        Arrival::New => {
            let state = Object::new();
            let position = JsValue::from(window().scroll_y().unwrap_or_default());
            let _ = Reflect::set(&state, &"scroll".into(), &position);
            let _ = history.replace_state(&state, "");
            history.push_state_with_url(&JsValue::NULL, "", url)
        }
        _ => history.replace_state_with_url(&history.state().unwrap_or(JsValue::NULL), "", url),
    };
    address.is_shown();
}

fn scroll_position() -> f64 {
    let state = window().history().and_then(|history| history.state());
    state
        .and_then(|state| Reflect::get(&state, &"scroll".into()))
        .ok()
        .and_then(|position| position.as_f64())
        .unwrap_or_default()
}

/// Where the focus is, told so that it can be found again among new elements.
struct Focused {
    id: Option<String>,
    selection: Option<(u32, u32)>,
}

impl Focused {
    fn now() -> Self {
        let element = document().active_element();
        let input = element
            .as_ref()
            .and_then(|element| element.dyn_ref::<HtmlInputElement>());
        let selection = input.and_then(|input| {
            let start = input.selection_start().ok()??;
            Some((start, input.selection_end().ok()??))
        });
        Self {
            id: element
                .map(|element| element.id())
                .filter(|id| !id.is_empty()),
            selection,
        }
    }

    /// Only what was taken away has to get it back.
    fn restore(self, main: &HtmlElement) {
        let found = self.id.and_then(|id| document().get_element_by_id(&id));
        let Some(element) = found.filter(|element| main.contains(Some(element))) else {
            return;
        };
        let Ok(element) = element.dyn_into::<HtmlElement>() else {
            return;
        };
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = element.focus_with_options(&options);
        if let (Some((start, end)), Some(input)) =
            (self.selection, element.dyn_ref::<HtmlInputElement>())
        {
            // Not every kind of field has a selection.
            let _ = input.set_selection_range(start, end);
        }
    }
}
