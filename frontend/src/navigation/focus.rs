//! Describes where the focus is, so that it can be found again among new elements.

use crate::{
    dom::{all, document, is_text_field},
    tip,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement, HtmlInputElement};

/// The element with the focus: by its id, by the address and text of the link, or by the field's name and the index of its form.
pub(super) struct Focused {
    id: Option<String>,
    href: Option<String>,
    text: Option<String>,
    /// Whether it is a heading that sorts a table.
    is_heading: bool,
    field: Option<(u32, String)>,
    typed: Option<Typed>,
}

/// The content of a text field. It may be newer than the request for the page.
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
            text: element.and_then(|element| element.text_content()),
            is_heading: element.is_some_and(|element| element.class_list().contains("sort")),
            field: element.and_then(field),
            typed: element
                .and_then(|element| element.dyn_ref())
                .and_then(typed),
        }
    }

    /// Focuses the element again, if it was replaced.
    pub(super) fn restore(self, main: &HtmlElement) {
        let by_id = self.id.and_then(|id| document().get_element_by_id(&id));
        let found = by_id
            .or_else(|| heading(main, self.href.as_deref()).filter(|_| self.is_heading))
            .or_else(|| link_to(main, &self.href?, self.text))
            .or_else(|| field_of(main, &self.field?));
        let Some(element) = found.filter(|element| main.contains(Some(element))) else {
            return;
        };
        if let (Some(typed), Some(input)) = (self.typed, element.dyn_ref::<HtmlInputElement>()) {
            input.set_value(&typed.value);
            if let Some((start, end)) = typed.selection {
                // Fails for fields without a selection.
                let _ = input.set_selection_range(start, end);
            }
        }
        focus(&element);
    }
}

/// Focuses an element without scrolling.
pub(super) fn focus(element: &Element) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // The page is readable too if the element cannot be focused.
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus_with_options(&options);
    }
}

/// The focused link, or the tile that the keyboard reads in the focused map: its address, and its index among the links of
/// `main`, since several may have the same address.
pub(super) fn focused_link(main: &HtmlElement) -> Option<(String, u32)> {
    let focused = document().active_element()?;
    let focused = tip::read_in(&focused).unwrap_or(focused);
    let (index, _) = (0..).zip(links(main)).find(|(_, link)| *link == focused)?;
    Some((href(&focused)?, index))
}

/// The id of the focused part of `main`, such as a chart.
pub(super) fn focused_part(main: &HtmlElement) -> Option<String> {
    let focused = document().active_element()?;
    let is_part = focused != **main && main.contains(Some(&focused));
    Some(focused.id()).filter(|id| is_part && !id.is_empty())
}

/// Focuses the result of [`link_at`].
pub(super) fn focus_link(link: &Element) {
    if link.has_attribute("href") {
        focus(link);
    } else {
        tip::read_at(link);
    }
}

/// The link that [`focused_link`] described, else the first link with the same address.
pub(super) fn link_at(main: &HtmlElement, href: &str, index: u32) -> Option<Element> {
    let index = usize::try_from(index).ok()?;
    let found = links(main).nth(index);
    found
        .filter(|link| self::href(link).as_deref() == Some(href))
        .or_else(|| link_to(main, href, None))
}

fn typed(input: &HtmlInputElement) -> Option<Typed> {
    let selection = || Some((input.selection_start().ok()??, input.selection_end().ok()??));
    is_text_field(input).then(|| Typed {
        value: input.value(),
        selection: selection(),
    })
}

/// The index of the field's form in the main landmark, and the field's name in that form.
fn field(element: &Element) -> Option<(u32, String)> {
    let form = element.closest("form").ok()??;
    let main = element.closest("main").ok()??;
    let mut forms = (0..).zip(all(&main, "form"));
    let (index, _) = forms.find(|(_, other)| *other == form)?;
    Some((index, element.get_attribute("name")?))
}

fn field_of(main: &HtmlElement, (index, name): &(u32, String)) -> Option<Element> {
    let form = all(main, "form").nth(usize::try_from(*index).ok()?)?;
    all(&form, "[name]").find(|field| field.get_attribute("name").as_ref() == Some(name))
}

/// The heading that sorts a table and has this address, else the heading that the table is sorted by: sorting changes its
/// address.
fn heading(main: &HtmlElement, href: Option<&str>) -> Option<Element> {
    let same = all(main, "a.sort").find(|link| link.get_attribute("href").as_deref() == href);
    same.or_else(|| main.query_selector("[aria-sort] .sort").ok()?)
}

/// The link with this address. If there are several, the one with this text, else the first.
fn link_to(within: &HtmlElement, href: &str, text: Option<String>) -> Option<Element> {
    let same = links(within).filter(|link| link.get_attribute("href").as_deref() == Some(href));
    let same: Vec<_> = same.collect();
    let with_text = same.iter().find(|link| link.text_content() == text);
    with_text.or(same.first()).cloned()
}

/// The address of a link or of a tile of a map.
fn href(link: &Element) -> Option<String> {
    let href = link.get_attribute("href");
    href.or_else(|| link.get_attribute("data-href"))
}

/// The links and the tiles of maps, in their order.
fn links(within: &HtmlElement) -> impl Iterator<Item = Element> + use<> {
    all(within, "a[href], [data-href]")
}
