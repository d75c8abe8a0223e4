//! The points of a trend in the OpenAPI document: arrays of four values, which a derived schema cannot describe.

use domain::CHART_POINTS;
use serde_json::json;
use utoipa::openapi::{
    Schema, Type,
    schema::{Array, ArrayBuilder, ObjectBuilder},
};

pub(super) fn points() -> Schema {
    let value = |kind, description: &str| -> Schema {
        let value = ObjectBuilder::new().schema_type(kind);
        value.description(Some(description)).into()
    };
    let point = ArrayBuilder::new()
        .prefix_items([
            value(
                Type::Integer,
                "When it was last uploaded, in microseconds since 1970, UTC.",
            ),
            value(
                Type::Integer,
                "Its coverage in hundredths of a percent, 0 to 10,000.",
            ),
            value(Type::Integer, "The record."),
            value(Type::String, "The first characters of its commit."),
        ])
        .items(utoipa::openapi::schema::ArrayItems::False)
        .min_items(Some(4))
        .max_items(Some(4))
        .examples([json!([1_775_409_359_624_890_i64, 8414, 17, "9be01d2f"])]);
    let points: Array = ArrayBuilder::new()
        .items(point)
        .description(Some("One array for each record, the oldest first."))
        .max_items(Some(CHART_POINTS))
        .build();
    points.into()
}
