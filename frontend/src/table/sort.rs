//! Sorts the rows of a table when one of its headings is chosen.

use crate::{
    address::Address,
    dom::{all, around, is_plain_click, on, target, window},
    navigation, notice,
};
use app::{
    browser::Timer,
    tables::{Key, Order, key},
};
use leptos::ev;
use std::{cell::RefCell, cmp::Ordering, collections::BinaryHeap, time::Duration};
use web_sys::{Document, Element, HtmlElement, KeyboardEvent, MouseEvent, Url};

/// The height of a row in pixels, or less.
const ROW: f64 = 24.0;

/// How long the other rows wait, so that the screen shows the first rows before.
const PAUSE: Duration = Duration::from_millis(50);

/// A row and what it is sorted by.
struct Row {
    /// No two rows have the same number.
    key: (Key, usize),
    is_descending: bool,
    element: Element,
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((key, number), (other, other_number)) = (&self.key, &other.key);
        let order = key.compare(other, self.is_descending);
        order.then(number.cmp(other_number))
    }
}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Row {}

/// The rows of a body that have not moved yet.
struct Rest {
    body: Element,
    rows: Vec<Element>,
    /// The element after the rows that moved at once.
    next: Element,
}

thread_local! {
    static LATER: RefCell<Vec<Rest>> = const { RefCell::new(Vec::new()) };
    static TIMER: Timer = const { Timer::new() };
}

pub(super) fn listen(document: &Document) {
    on(document, ev::click, |event: MouseEvent| {
        if let Some(link) = around(&event, "a[data-order]")
            && !event.default_prevented()
            && is_plain_click(&event)
            && choose(&link).is_some()
        {
            event.prevent_default();
        }
    });
    on(document, ev::keydown, |event: KeyboardEvent| {
        let link = target::<HtmlElement>(&event).filter(|link| link.class_list().contains("sort"));
        if let Some(link) = link
            && event.key() == " "
            && !(event.ctrl_key() || event.alt_key() || event.meta_key())
        {
            // The space bar would scroll.
            event.prevent_default();
            if !event.repeat() {
                link.click();
            }
        }
    });
}

/// Makes the headings of a new part of the page buttons, because they no longer lead to another page.
pub(crate) fn prepare(part: &Element) {
    for link in all(part, "a.sort") {
        // This attribute name is valid.
        let _ = link.set_attribute("role", "button");
    }
}

/// Sorts the table of a heading. `None` if the markup is unexpected.
fn choose(link: &Element) -> Option<()> {
    let order: Order = link.get_attribute("data-order")?.parse().ok()?;
    let table = link.closest("table[data-sortable]").ok()??;
    let column = all(&table, "a[data-order]").position(|other| other == *link)?;
    let name = table.get_attribute("data-sortable")?;
    let here = Url::new(&window().location().href().ok()?).ok()?;
    here.search_params().set(&name, &order.to_string());
    here.set_hash("");
    // Before the rows move: reading positions makes the browser lay out the page.
    let visible = visible_below(link);
    navigation::push(&Address::of_page(&here)?);
    for body in all(&table, "tbody") {
        sort(&body, column, order.is_descending, visible);
    }
    for heading in all(&table, "th[aria-sort]") {
        // Removing an attribute does not fail.
        let _ = heading.remove_attribute("aria-sort");
        // Its next click sorts as its last click did.
        if let Ok(Some(before)) = heading.query_selector("a[data-order]")
            && before != *link
        {
            turn(&before);
        }
    }
    link.closest("th")
        .ok()??
        .set_attribute("aria-sort", order.direction())
        .ok()?;
    let title = link.text_content().unwrap_or_default();
    notice::announce(&format!("Sorted by {title}, {}.", order.direction()));
    turn(link)
}

/// Reverses the order that a heading leads to.
fn turn(link: &Element) -> Option<()> {
    let order: Order = link.get_attribute("data-order")?.parse().ok()?;
    link.set_attribute("data-order", &order.reversed().to_string())
        .ok()
}

/// Sorts the rows with keys within `body`; rows without keys stay. The first rows move at once, the others when the screen
/// shows the first rows.
fn sort(body: &Element, column: usize, is_descending: bool, visible: usize) {
    let rows = all(body, ":scope > tr[data-keys]");
    let rows: Vec<_> = rows
        .map(|element| {
            let keys = element.get_attribute("data-keys").unwrap_or_default();
            Row {
                key: key(&keys, column),
                is_descending,
                element,
            }
        })
        .collect();
    let Some(first) = rows.first() else {
        return;
    };
    let first = first.element.clone();
    // The code of a heap is a fifth of the code of the standard library's sort, which every page would load.
    let rows = BinaryHeap::from(rows).into_sorted_vec();
    let mut rows: Vec<_> = rows.into_iter().map(|row| row.element).collect();
    let mut seen = 0;
    let at_once = rows.iter().take_while(|row| {
        seen += usize::from(!row.has_attribute("hidden"));
        seen <= visible
    });
    let rest = rows.split_off(at_once.count());
    let next = place(body, &rows, Some(first));
    LATER.with_borrow_mut(|later| {
        later.retain(|other| other.body != *body);
        if let Some(next) = next.filter(|_| !rest.is_empty()) {
            later.push(Rest {
                body: body.clone(),
                rows: rest,
                next,
            });
        }
    });
    TIMER.with(|timer| timer.start(PAUSE, place_others));
}

/// The number of rows that move at once, as many as the screen can show below the heading: laying out 200 moved rows takes longer
/// than a frame.
fn visible_below(heading: &Element) -> usize {
    let height = window().inner_height().ok();
    let height = height.and_then(|height| height.as_f64());
    let top = heading.get_bounding_client_rect().bottom().max(0.0);
    // A heading below the screen leaves no space: the number is then 1.
    ((height.unwrap_or_default() - top) / ROW) as usize + 1
}

/// Moves `rows` before `next`, in their order; rows in the right place stay. Returns the element after them.
fn place(body: &Element, rows: &[Element], mut next: Option<Element>) -> Option<Element> {
    for row in rows {
        if next.as_ref() == Some(row) {
            next = row.next_element_sibling();
        } else {
            // Both are children of the body.
            let _ = body.insert_before(row, next.as_deref());
        }
    }
    next
}

/// Moves the remaining rows.
fn place_others() {
    for rest in LATER.take() {
        place(&rest.body, &rest.rows, Some(rest.next));
    }
}
