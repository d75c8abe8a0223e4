//! All limits on uploads, connections and time, in one place: settings, and fixed values with their reasons.

use clap::{Args, Command, FromArgMatches};
use std::{num::NonZero, thread};
use store::Quotas;

/// Sizes, numbers and timeouts. An upload that exceeds a limit gets an error that names the limit. Fields that are not settings
/// state why their value is fixed; tests may change them.
///
/// The defaults are several times the largest honest reports known: 86 MB that unpack to 1.1 GB in 6,299 files,
/// and archives that unpack to 35 times their size.
#[derive(Clone, Debug, Args)]
pub struct Limits {
    /// Bytes of an upload as sent, including the multipart frame.
    #[arg(long, env = "MAX_UPLOAD_BYTES", default_value_t = 512 << 20)]
    pub max_upload_bytes: u64,

    /// Bytes of an archive once decompressed.
    #[arg(long, env = "MAX_UNPACKED_BYTES", default_value_t = 4 << 30)]
    pub max_unpacked_bytes: u64,

    /// Unpacked bytes for each byte sent; checked above 64 MiB of unpacked bytes. Fixed: real reports reach 35, and a
    /// bomb of gzip reaches 1,000.
    #[arg(skip = 200_u64)]
    pub max_compression_ratio: u64,

    /// Consecutive gzip or bzip2 streams in an archive: members, or blocks of a parallel compressor. Fixed: bgzip writes one
    /// for each 64 KiB, so this is enough for 6 GiB.
    #[arg(skip = 100_000_u64)]
    pub max_streams: u64,

    /// Bytes of the decompression window: the dictionary of xz, the window of zstd. Fixed: with the memory of the reader of
    /// the coverage file, it decides how much memory one upload takes. `xz -7` needs this; lower presets and `zstd -19` need less.
    #[arg(skip = 16_u64 << 20)]
    pub max_window_bytes: u64,

    /// Bytes of one file in an archive. Fixed: a file of 1 GiB is no page that a browser opens, and a coverage file of that
    /// size exceeds the memory of its reader first.
    #[arg(skip = 1_u64 << 30)]
    pub max_file_bytes: u64,

    /// Bytes of the headers before one entry of an archive: long names and extended attributes. Fixed: they are read into
    /// memory, and a path may be much shorter.
    #[arg(skip = 1_u64 << 20)]
    pub max_header_bytes: u64,

    /// Entries of one archive: files and folders. Fixed: 30 times the largest report known.
    #[arg(skip = 200_000_u64)]
    pub max_entries: u64,

    /// Bytes of one path in an archive. Fixed: file systems allow 255 bytes for one name, and reports nest few folders.
    #[arg(skip = 1_024_usize)]
    pub max_path_bytes: usize,

    /// Uploads that are unpacked at the same time; others wait.
    #[arg(long, env = "CONCURRENT_UPLOADS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrent_uploads: u16,

    /// Uploads that may wait; others get 503. Fixed: one that waits costs only its connection, and jobs send again.
    #[arg(skip = 256_u16)]
    pub waiting_uploads: u16,

    /// The largest share, in percent, of running and of waiting uploads for one token and for one repository; 100 is no
    /// limit. Fixed: the first gets half, the next half of the rest. To give one token more, raise CONCURRENT_UPLOADS.
    #[arg(skip = 50_u8)]
    pub max_upload_share: u8,

    /// Seconds that an upload may wait. Fixed: shorter than the usual timeouts of CI jobs and proxies.
    #[arg(skip = 120_u64)]
    pub upload_wait_seconds: u64,

    /// Bytes of the stored HTML reports and lines of one org with its groups [default: no limit].
    #[arg(long, env = "QUOTA_BYTES_PER_ORG")]
    pub quota_bytes_per_org: Option<u64>,

    /// Bytes of the stored HTML reports and lines of one repository [default: no limit].
    #[arg(long, env = "QUOTA_BYTES_PER_REPOSITORY")]
    pub quota_bytes_per_repository: Option<u64>,

    /// Connections at the same time; other clients get 503.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Connections of one address (of IPv6, one /64 network) at the same time. Behind a trusted proxy: requests of one
    /// client at the same time [default: a quarter of MAX_CONNECTIONS].
    #[arg(long, env = "CONNECTIONS_PER_ADDRESS", value_parser = clap::value_parser!(u16).range(1..))]
    pub connections_per_address: Option<u16>,

    /// Additional connections that only answer health checks. Fixed: a service has few monitors.
    #[arg(skip = 16_u16)]
    pub reserved_connections: u16,

    /// Seconds that a client may leave an answer unread. Fixed: TCP sends again several times in this time.
    #[arg(skip = 60_u64)]
    pub response_stall_seconds: u64,

    /// The lowest rate, in bytes per second, at which a client must read an answer, averaged over `response_stall_seconds`.
    /// Fixed: the slowest mobile network is faster.
    #[arg(skip = 1_u64 << 10)]
    pub min_read_bytes_per_second: u64,

    /// Heavy reads at the same time: pages and lists whose cost grows with the stored data. `None` is twice the processors, at
    /// most half of DATABASE_CONNECTIONS, which is the setting to change.
    #[arg(skip)]
    pub heavy_reads: Option<u16>,

    /// Seconds that a heavy read may wait. Fixed: longer than a heavy read takes, shorter than people wait.
    #[arg(skip = 5_u64)]
    pub heavy_read_wait_seconds: u64,

    /// Seconds for the head of a request. Fixed: a head is small, so a slow network is no reason to need longer.
    #[arg(skip = 30_u64)]
    pub request_head_seconds: u64,

    /// Seconds until the first byte of an upload's body. Fixed: the body follows the head at once.
    #[arg(skip = 30_u64)]
    pub upload_start_seconds: u64,

    /// Seconds that a client may pause in the middle of an upload. Fixed: TCP sends again several times in this time.
    #[arg(skip = 60_u64)]
    pub upload_idle_seconds: u64,

    /// The lowest rate, in bytes per second, of an upload, averaged over `upload_idle_seconds`. Fixed: slower than any
    /// network that CI jobs use.
    #[arg(skip = 16_u64 << 10)]
    pub min_upload_bytes_per_second: u64,

    /// Seconds that a client may take for one upload in total. Fixed: at 300 kB/s enough for the largest archive that is
    /// allowed by default.
    #[arg(skip = 1_800_u64)]
    pub max_upload_seconds: u64,

    /// Rows of the ledger of uploads; a tenth of them for attempts without a valid token. Fixed: 100 days with 1,000
    /// uploads a day.
    #[arg(skip = 100_000_u32)]
    pub ledger_rows: u32,

    /// Limits on the coverage file.
    #[command(flatten)]
    pub report: ReportLimits,
}

/// Memory limits of reading one coverage file; see the `formats` crate.
#[derive(Clone, Debug, Args)]
pub struct ReportLimits {
    /// Nesting depth of elements, objects or arrays in a coverage file; at most 1,024. Fixed: coverage formats nest about
    /// ten levels.
    #[arg(skip = 128_u16)]
    pub max_report_depth: u16,

    /// Bytes of one tag, text, string or line of a coverage file. Fixed: the longest are paths and names of functions.
    #[arg(skip = formats::Limits::default().token_bytes)]
    pub max_report_token_bytes: usize,

    /// Bytes of memory for the file list of a coverage file.
    // Enough for about 10,000 files of 300 lines. With the decompression window (`max_window_bytes`) it has to stay below the 64 MiB
    // that one upload may take.
    #[arg(long, env = "MAX_REPORT_MEMORY_BYTES", default_value_t = 32 << 20)]
    pub max_report_memory_bytes: usize,
}

impl ReportLimits {
    /// The limits as the reader's type.
    pub fn of_reader(&self) -> formats::Limits {
        formats::Limits {
            depth: self.max_report_depth.into(),
            token_bytes: self.max_report_token_bytes,
            memory_bytes: self.max_report_memory_bytes,
            ..formats::Limits::default()
        }
    }
}

impl Limits {
    /// Connections of one address at the same time.
    pub fn connections_per_address(&self) -> u16 {
        let default = || (self.max_connections / 4).max(1);
        self.connections_per_address.unwrap_or_else(default)
    }

    /// The quotas of stored HTML reports.
    pub fn quotas(&self) -> Quotas {
        Quotas {
            org: self.quota_bytes_per_org,
            repository: self.quota_bytes_per_repository,
        }
    }

    /// Heavy reads at the same time. The default leaves half of the database connections to uploads, other pages and health
    /// checks.
    pub fn heavy_reads(&self, database_connections: u32) -> usize {
        let default = || {
            let processors = thread::available_parallelism().map_or(1, NonZero::get);
            let connections = usize::try_from(database_connections / 2).unwrap_or(usize::MAX);
            (processors * 2).min(connections).max(1)
        };
        self.heavy_reads.map_or_else(default, usize::from)
    }
}

/// The values without a command line and without variables.
impl Default for Limits {
    fn default() -> Self {
        let command = Self::augment_args(Command::new("limits"));
        let command = command.mut_args(|argument| argument.env(None));
        let matches = command.get_matches_from(["limits"]);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_reads_leave_connections_for_other_requests() {
        let limits = Limits::default();
        for connections in 2..=64 {
            let heavy_reads = limits.heavy_reads(connections);
            assert!(
                (1..=connections as usize / 2).contains(&heavy_reads),
                "{heavy_reads} of {connections}"
            );
        }
        let asked = Limits {
            heavy_reads: Some(40),
            ..limits
        };
        assert_eq!(asked.heavy_reads(2), 40);
    }
}
