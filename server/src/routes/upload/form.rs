//! The body of an upload: a form with the archive as one of its parts.

use crate::routes::openapi::names::text;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

/// The names of the parts.
pub(super) const FILE: &str = "file";
pub(super) const PATHS: &str = "paths";
pub(super) const SETTINGS: &str = "settings";
pub(super) const CHANGES: &str = "changes";
pub(super) const OWNERS: &str = "owners";
pub(super) const SOURCES: &str = "sources";

pub(super) struct UploadForm;

impl PartialSchema for UploadForm {
    fn schema() -> RefOr<Schema> {
        let binary = SchemaFormat::KnownFormat(KnownFormat::Binary);
        let binary = |description| text(description).format(Some(binary.clone()));
        let file = binary(
            "A tar, plain or compressed with gzip, bzip2, xz or zstd, or a zip, recognised by its content. It contains the\n\
                coverage file and, optionally, the tool's HTML report. The parts may come in any order; the first of each name\n\
                counts, and other parts are ignored.",
        );
        let paths = binary(
            "The paths of the repository's files, as `git ls-files -z` prints them, plain or compressed with gzip. The paths\n\
                in the coverage file become paths of the repository. A list of more than 16 MiB or 1,000,000 paths is ignored,\n\
                with a notice on the record's page.",
        );
        let settings = text(
            "The repository's `coverage-dashboard.toml`, of at most 64 KiB. Its `parts` are expected, like the parts of the parameter\n\
                `parts`. The files that its `ignore` matches count nowhere.",
        );
        let changes = binary(
            "What the commit changes: what `git diff -U0 -M BASE` prints, or only its header lines, of at most 8 MiB. Only paths\n\
                and line numbers are kept.",
        );
        let owners = text(
            "The repository's `CODEOWNERS` file. Views by owner come from it. A file of more than 3 MiB is ignored, with a notice.",
        );
        let sources = binary(
            "The text of source files: a tar, plain or compressed with gzip or zstd, with UTF-8 text under the paths of the repository.\n\
                Only files that the coverage file names are kept, up to 1 MiB each and 64 MiB in all, and only if the operator\n\
                accepts source text. A notice says what is left out.",
        );
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("The body of an upload."))
            .property(FILE, file)
            .property(PATHS, paths)
            .property(SETTINGS, settings)
            .property(CHANGES, changes)
            .property(OWNERS, owners)
            .property(SOURCES, sources)
            .required(FILE)
            .into()
    }
}

impl ToSchema for UploadForm {}
