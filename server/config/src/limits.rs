//! All limits on uploads, connections and time, in one place: settings, and fixed values with their reasons.

use std::{num::NonZero, thread};
use store::Quotas;

/// Declares limits as arguments of the command line. A fixed value is no argument.
macro_rules! limits {
    (
        $(#[$of_all:meta])*
        pub struct $name:ident {
            $(
                $(#[$of:meta])*
                pub $field:ident: $type:ty $(=> fixed $fixed:expr)? $(=> default $default:expr)?,
            )+
        }
    ) => {
        $(#[$of_all])*
        #[derive(Clone, Debug, clap::Args)]
        pub struct $name {
            $(
                $(#[$of])*
                $(#[arg(skip = { let value: $type = $fixed; value })])?
                $(#[arg(default_value_t = $default)])?
                pub $field: $type,
            )+
        }

        /// The values without a command line and without variables.
        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($field: None$(.or(Some($fixed)))?$(.or(Some($default)))?.unwrap_or_default(),)+
                }
            }
        }
    };
}

pub(crate) use limits;

limits! {
    /// Sizes, numbers and timeouts. An upload that exceeds a limit gets an error that names the limit. Fields that are not
    /// settings state why their value is fixed; tests may change them.
    ///
    /// The defaults are several times the largest real reports known: 86 MB that unpack to 1.1 GB in 6,299 files,
    /// and archives that unpack to 35 times their size.
    pub struct Limits {
        /// Bytes of an upload as sent, including the multipart frame.
        #[arg(long, env = "MAX_UPLOAD_BYTES")]
        pub max_upload_bytes: u64 => default 512 << 20,

        /// Bytes of an archive once decompressed.
        #[arg(long, env = "MAX_UNPACKED_BYTES")]
        pub max_unpacked_bytes: u64 => default 4 << 30,

        /// Unpacked bytes for each byte sent; checked above 64 MiB of unpacked bytes. Fixed: real reports reach 35, and a
        /// bomb of gzip reaches 1,000.
        pub max_compression_ratio: u64 => fixed 200,

        /// Consecutive gzip or bzip2 streams in an archive: members, or blocks of a parallel compressor. Fixed: bgzip writes one
        /// for each 64 KiB, so this is enough for 6 GiB.
        pub max_streams: u64 => fixed 100_000,

        /// Bytes of the decompression window: the dictionary of xz, the window of zstd. Fixed: this window and the
        /// memory of the reader of the coverage file make up the memory of one upload. `xz -7` needs 16 MiB; lower presets and
        /// `zstd -19` need less.
        pub max_window_bytes: u64 => fixed 16 << 20,

        /// Bytes of one file in an archive. Fixed: no browser opens a page of 1 GiB, and the reader of a coverage file of
        /// that size reaches its memory limit first.
        pub max_file_bytes: u64 => fixed 1 << 30,

        /// Bytes of the headers before one entry of an archive: long names and extended attributes. Fixed: they are read into
        /// memory, and real headers are much shorter.
        pub max_header_bytes: u64 => fixed 1 << 20,

        /// Entries of one archive: files and folders. Fixed: 30 times the largest report known.
        pub max_entries: u64 => fixed 200_000,

        /// Bytes of one path in an archive. Fixed: file systems allow 255 bytes for one name, and reports nest few folders.
        pub max_path_bytes: usize => fixed 1_024,

        /// Uploads that are unpacked at the same time; others wait.
        #[arg(long, env = "CONCURRENT_UPLOADS", value_parser = clap::value_parser!(u16).range(1..))]
        pub concurrent_uploads: u16 => default 8,

        /// Uploads that may wait; others get 503. Fixed: a waiting upload uses only its connection, and a refused job retries.
        pub waiting_uploads: u16 => fixed 256,

        /// The largest share, in percent, of running and of waiting uploads for one token and for one repository; 100 is no
        /// limit. Fixed: the first token can use half of the uploads, the second half of the rest. To give one token more, raise CONCURRENT_UPLOADS.
        pub max_upload_share: u8 => fixed 50,

        /// Seconds that an upload may wait. Fixed: shorter than the usual timeouts of CI jobs and proxies.
        pub upload_wait_seconds: u64 => fixed 120,

        /// Seconds that uploads of the clients of other services wait, instead of `upload_wait_seconds`, also if too many wait
        /// already. Fixed: these clients take a refusal for the end.
        pub foreign_wait_seconds: u64 => fixed 60,

        /// Seconds of a body that arrives before its token. Fixed: less than others wait for their turn, so that slow bodies refuse
        /// nobody.
        pub early_body_seconds: u64 => fixed 45,

        /// Bytes of the stored HTML reports and lines of one org with its groups [default: no limit].
        #[arg(long, env = "QUOTA_BYTES_PER_ORG")]
        pub quota_bytes_per_org: Option<u64>,

        /// Bytes of the stored HTML reports and lines of one repository [default: no limit].
        #[arg(long, env = "QUOTA_BYTES_PER_REPOSITORY")]
        pub quota_bytes_per_repository: Option<u64>,

        /// Connections at the same time; other clients get 503.
        #[arg(long, env = "MAX_CONNECTIONS", value_parser = clap::value_parser!(u16).range(1..))]
        pub max_connections: u16 => default 512,

        /// Connections of one address (of IPv6, one /64 network) at the same time. Behind a trusted proxy: requests of one
        /// client at the same time [default: a quarter of MAX_CONNECTIONS].
        #[arg(long, env = "CONNECTIONS_PER_ADDRESS", value_parser = clap::value_parser!(u16).range(1..))]
        pub connections_per_address: Option<u16>,

        /// Additional connections that only answer health checks. Fixed: a service has few monitors.
        pub reserved_connections: u16 => fixed 16,

        /// Seconds that a client may leave an answer unread. Fixed: TCP sends again several times in this time.
        pub response_stall_seconds: u64 => fixed 60,

        /// The lowest rate, in bytes per second, at which a client must read an answer, averaged over `response_stall_seconds`.
        /// Fixed: the slowest mobile network is faster.
        pub min_read_bytes_per_second: u64 => fixed 1 << 10,

        /// Heavy reads at the same time: pages and lists whose cost grows with the stored data. `None` is twice the processors,
        /// at most half of DATABASE_CONNECTIONS, which is the setting to change.
        #[arg(skip)]
        pub heavy_reads: Option<u16>,

        /// Seconds that a heavy read may wait. Fixed: longer than a heavy read takes, shorter than people wait.
        pub heavy_read_wait_seconds: u64 => fixed 5,

        /// Seconds for the head of a request. Fixed: a head is small, so a slow network is no reason to need longer.
        pub request_head_seconds: u64 => fixed 30,

        /// Seconds until the first byte of an upload's body. Fixed: the body follows the head at once.
        pub upload_start_seconds: u64 => fixed 30,

        /// Seconds that a client may pause in the middle of an upload. Fixed: TCP sends again several times in this time.
        pub upload_idle_seconds: u64 => fixed 60,

        /// The lowest rate, in bytes per second, of an upload, averaged over `upload_idle_seconds`. Fixed: slower than any
        /// network that CI jobs use.
        pub min_upload_bytes_per_second: u64 => fixed 16 << 10,

        /// Seconds that a client may take for one upload in total. Fixed: at 300 kB/s enough for the largest archive that is
        /// allowed by default.
        pub max_upload_seconds: u64 => fixed 1_800,

        /// Rows of the ledger of uploads; a tenth of them for attempts without a valid token. Fixed: 100 days with 1,000
        /// uploads a day.
        pub ledger_rows: u32 => fixed 100_000,

        /// Limits on the coverage file.
        #[command(flatten)]
        pub report: ReportLimits,
    }
}

limits! {
    /// Memory limits of reading one coverage file; see the `formats` crate.
    pub struct ReportLimits {
        /// Nesting depth of elements, objects or arrays in a coverage file; at most 1,024. Fixed: coverage formats nest about
        /// ten levels.
        pub max_report_depth: u16 => fixed 128,

        /// Bytes of one tag, text, string or line of a coverage file. Fixed: the longest are paths and names of functions.
        pub max_report_token_bytes: usize => fixed formats::Limits::default().token_bytes,

        /// Bytes of memory for the file list of a coverage file.
        // Enough for about 10,000 files of 300 lines. With the decompression window (`max_window_bytes`), and half as much for tests
        // (`of_tests_beside`), it has to stay within the 64 MiB that one upload may take.
        #[arg(long, env = "MAX_REPORT_MEMORY_BYTES")]
        pub max_report_memory_bytes: usize => default 32 << 20,
    }
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

    /// The limits for the tests that files beside the coverage file name, which are kept until both are read.
    pub fn of_tests_beside(&self) -> formats::Limits {
        formats::Limits {
            memory_bytes: self.max_report_memory_bytes / 2,
            ..self.of_reader()
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
