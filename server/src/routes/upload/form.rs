//! The body of an upload: a form with the archive as one of its parts.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

/// The name of the part with the archive.
pub(super) const FILE: &str = "file";

/// The description of the form.
pub(super) struct UploadForm;

impl PartialSchema for UploadForm {
    fn schema() -> RefOr<Schema> {
        let file = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .description(Some(
                "A tar, plain or compressed with gzip, bzip2, xz or zstd, or a zip, recognised by its content. It contains the\n\
                coverage file and, optionally, the tool's HTML report. Further parts are ignored.",
            ));
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("The body of an upload."))
            .property(FILE, file)
            .required(FILE)
            .into()
    }
}

impl ToSchema for UploadForm {}
