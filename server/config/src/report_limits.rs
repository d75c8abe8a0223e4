//! Settings of the limits on a coverage file.

use clap::Args;

/// Memory limits of reading one coverage file; see the `formats` crate.
#[derive(Clone, Debug, Args)]
pub struct ReportLimits {
    /// Nesting depth of elements, objects or arrays in a coverage file; at most 1,024. Fixed: coverage formats nest about
    /// ten levels.
    #[arg(skip = Self::default().max_report_depth)]
    pub max_report_depth: u16,

    /// Bytes of one tag, text, string or line of a coverage file. Fixed: the longest are paths and names of functions.
    #[arg(skip = Self::default().max_report_token_bytes)]
    pub max_report_token_bytes: usize,

    /// Bytes of memory for the file list of a coverage file.
    #[arg(long, env = "MAX_REPORT_MEMORY_BYTES", default_value_t = Self::default().max_report_memory_bytes)]
    pub max_report_memory_bytes: usize,
}

impl ReportLimits {
    /// The limits as the reader's type.
    #[must_use]
    pub fn of_reader(&self) -> formats::Limits {
        formats::Limits {
            depth: self.max_report_depth.into(),
            token_bytes: self.max_report_token_bytes,
            memory_bytes: self.max_report_memory_bytes,
            ..formats::Limits::default()
        }
    }
}

impl Default for ReportLimits {
    fn default() -> Self {
        Self {
            max_report_depth: 128,
            max_report_token_bytes: formats::Limits::default().token_bytes,
            // About 10,000 files of 300 lines. Together with the decompression window (`max_window_bytes`) it has to stay below
            // the 64 MiB that one upload may take.
            max_report_memory_bytes: 32 << 20,
        }
    }
}
