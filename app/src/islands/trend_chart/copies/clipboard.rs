//! The clipboard of the browser. Where it is not available, a file is saved instead.

use super::Format;
use js_sys::{Array, Object, Promise, Reflect, encode_uri_component};
use leptos::prelude::{document, set_timeout, window};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{
    Blob, CanvasRenderingContext2d, ClipboardItem, HtmlAnchorElement, HtmlCanvasElement,
    HtmlImageElement, Url,
};

/// How long a browser may take to read a saved file.
const READ: Duration = Duration::from_secs(30);

/// How many pixels a PNG has for each unit of the drawing.
const SCALE: u32 = 2;

/// Copies `text` in a format, and returns the outcome as a sentence.
pub(super) fn copy(
    format: Format,
    text: String,
    file_name: String,
) -> impl Future<Output = &'static str> {
    // Browsers offer no clipboard to pages loaded over plain HTTP from another machine.
    let writing = window()
        .is_secure_context()
        .then(|| write(format, text.clone()));
    async move {
        let written = match writing {
            Some(Ok(writing)) => JsFuture::from(writing).await.is_ok(),
            _ => false,
        };
        if written {
            return "Copied.";
        }
        match save(format, text, &file_name).await {
            Ok(()) => "Saved as a file, because the browser does not allow this page to copy.",
            Err(_) => "The browser allows this page neither to copy nor to save.",
        }
    }
}

fn write(format: Format, text: String) -> Result<Promise, JsValue> {
    let clipboard = window().navigator().clipboard();
    if format != Format::Png {
        // Editors paste text from a clipboard, but no pictures and no tables.
        return Ok(clipboard.write_text(&text).unchecked_into());
    }
    let items = Object::new();
    let picture = future_to_promise(async move { Ok(png(&text).await?.into()) });
    Reflect::set(&items, &"image/png".into(), &picture)?;
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&items)?;
    Ok(clipboard.write(&Array::of1(&item)).unchecked_into())
}

async fn save(format: Format, text: String, file_name: &str) -> Result<(), JsValue> {
    let file = match format {
        Format::Png => png(&text).await?,
        Format::Svg | Format::Csv => Blob::new_with_str_sequence(&Array::of1(&text.into()))?,
    };
    let address = Url::create_object_url_with_blob(&file)?;
    let link: HtmlAnchorElement = document().create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(file_name);
    link.click();
    // Some browsers read the address after the click. If it cannot be revoked, it ends with the page.
    set_timeout(move || drop(Url::revoke_object_url(&address)), READ);
    Ok(())
}

async fn png(svg: &str) -> Result<Blob, JsValue> {
    let image = HtmlImageElement::new()?;
    let svg = String::from(encode_uri_component(svg));
    image.set_src(&format!("data:image/svg+xml,{svg}"));
    JsFuture::from(image.decode()).await?;
    let (width, height) = (
        image.natural_width() * SCALE,
        image.natural_height() * SCALE,
    );
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(
        &image,
        0.0,
        0.0,
        width.into(),
        height.into(),
    )?;
    let drawn = Promise::new(&mut |resolve, reject| {
        if let Err(error) = canvas.to_blob(&resolve) {
            // A failed refusal cannot be reported.
            let _ = reject.call1(&JsValue::NULL, &error);
        }
    });
    // No blob if the picture is larger than the browser allows.
    JsFuture::from(drawn).await?.dyn_into()
}
