//! Texts for spreadsheets, which interpret some texts as formulas.

use std::borrow::Cow;

/// Spreadsheets interpret texts that begin like this as formulas. An apostrophe in front prevents that, and the import removes
/// it. Therefore a text that begins with an apostrophe gets another one.
pub const GUARDED: [char; 8] = ['=', '+', '-', '@', '\t', '\r', '\n', '\''];

/// Returns a text that no spreadsheet interprets as a formula.
pub fn guarded(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.starts_with(GUARDED) {
        format!("'{text}").into()
    } else {
        text
    }
}
