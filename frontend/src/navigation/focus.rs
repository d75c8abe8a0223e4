//! Where the focus is, told so that it can be found again among new elements.

use crate::{chart, dom::document};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement, HtmlInputElement};

/// The element with the focus: by its id, as the link that it is, or as a field by its name and the place of its form.
pub(super) struct Focused {
    id: Option<String>,
    href: Option<String>,
    field: Option<(u32, String)>,
    typed: Option<Typed>,
}

/// What stands in a field. More may have been typed since the page was asked for.
struct Typed {
    value: String,
    selection: Option<(u32, u32)>,
}

impl Focused {
    pub(super) fn now() -> Self {
        let element = document().active_element();
        let element = element.as_ref();
        Self {
            id: element.map(Element::id).filter(|id| !id.is_empty()),
            href: element.and_then(|element| element.get_attribute("href")),
            field: element.and_then(field),
            typed: element
                .and_then(|element| element.dyn_ref())
                .and_then(typed),
        }
    }

    /// Only what was taken away has to get it back.
    pub(super) fn restore(self, main: &HtmlElement) {
        let by_id = self.id.and_then(|id| document().get_element_by_id(&id));
        let found = by_id
            .or_else(|| link_to(main, &self.href?))
            .or_else(|| field_of(main, &self.field?));
        let Some(element) = found.filter(|element| main.contains(Some(element))) else {
            return;
        };
        if let (Some(typed), Some(input)) = (self.typed, element.dyn_ref::<HtmlInputElement>()) {
            input.set_value(&typed.value);
            if let Some((start, end)) = typed.selection {
                // Not every kind of field has a selection.
                let _ = input.set_selection_range(start, end);
            }
        }
        focus(&element);
    }
}

/// Focuses an element and leaves the page where it is.
pub(super) fn focus(element: &Element) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // Without a focus of its own the page is as readable as before.
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus_with_options(&options);
    }
}

/// The link that has the focus, or the point that is read in the chart with the focus: where it leads, and its place among
/// those of `main`, of which several may lead there.
pub(super) fn focused_link(main: &HtmlElement) -> Option<(String, u32)> {
    let focused = document().active_element()?;
    let focused = chart::read_in(&focused).unwrap_or(focused);
    let (place, _) = (0..).zip(links(main)).find(|(_, link)| *link == focused)?;
    Some((href(&focused)?, place))
}

/// Focuses what [`link_at`] has found.
pub(super) fn focus_link(link: &Element) {
    match link.has_attribute("href") {
        true => focus(link),
        false => chart::read_at(link),
    }
}

/// The link at a place that [`focused_link`] told, or else the first one that leads there.
pub(super) fn link_at(main: &HtmlElement, href: &str, place: u32) -> Option<Element> {
    let place = usize::try_from(place).ok()?;
    let found = links(main).nth(place);
    found
        .filter(|link| self::href(link).as_deref() == Some(href))
        .or_else(|| link_to(main, href))
}

fn typed(input: &HtmlInputElement) -> Option<Typed> {
    let is_text = ["search", "text"].contains(&input.type_().as_str());
    let selection = || Some((input.selection_start().ok()??, input.selection_end().ok()??));
    is_text.then(|| Typed {
        value: input.value(),
        selection: selection(),
    })
}

/// Which form of the main landmark a field is in, and what it is called there.
fn field(element: &Element) -> Option<(u32, String)> {
    let form = element.closest("form").ok()??;
    let main = element.closest("main").ok()??;
    let forms = main.query_selector_all("form").ok()?;
    let place = (0..forms.length()).find(|&place| {
        forms
            .item(place)
            .is_some_and(|other| other.is_same_node(Some(&form)))
    })?;
    Some((place, element.get_attribute("name")?))
}

fn field_of(main: &HtmlElement, (place, name): &(u32, String)) -> Option<Element> {
    let forms = main.query_selector_all("form").ok()?;
    let form: Element = forms.item(*place)?.dyn_into().ok()?;
    let fields = form.query_selector_all("[name]").ok()?;
    (0..fields.length())
        .filter_map(|index| fields.item(index)?.dyn_into::<Element>().ok())
        .find(|field| field.get_attribute("name").as_ref() == Some(name))
}

fn link_to(within: &HtmlElement, href: &str) -> Option<Element> {
    links(within).find(|link| link.get_attribute("href").as_deref() == Some(href))
}

/// Where a link leads, or a point of a chart.
fn href(link: &Element) -> Option<String> {
    let href = link.get_attribute("href");
    href.or_else(|| link.get_attribute("data-href"))
}

/// The links and the points of charts, in their order.
fn links(within: &HtmlElement) -> impl Iterator<Item = Element> + use<> {
    let links = within.query_selector_all("a[href], [data-href]").ok();
    let count = links.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |index| links.as_ref()?.item(index)?.dyn_into().ok())
}
