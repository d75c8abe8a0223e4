//! All limits on uploads, connections and time, in one place: settings, and fixed values with their reasons.

use super::ReportLimits;
use clap::Args;
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
    #[arg(long, env = "MAX_UPLOAD_BYTES", default_value_t = Self::default().max_upload_bytes)]
    pub max_upload_bytes: u64,

    /// Bytes of an archive once decompressed.
    #[arg(long, env = "MAX_UNPACKED_BYTES", default_value_t = Self::default().max_unpacked_bytes)]
    pub max_unpacked_bytes: u64,

    /// Unpacked bytes for each byte sent; checked above 64 MiB of unpacked bytes. Fixed: real reports reach 35, and a
    /// bomb of gzip reaches 1,000.
    #[arg(skip = Self::default().max_compression_ratio)]
    pub max_compression_ratio: u64,

    /// Consecutive gzip or bzip2 streams in an archive: members, or blocks of a parallel compressor. Fixed: bgzip writes one
    /// for each 64 KiB, so this is enough for 6 GiB.
    #[arg(skip = Self::default().max_streams)]
    pub max_streams: u64,

    /// Bytes of the decompression window: the dictionary of xz, the window of zstd. Fixed: with the memory of the reader of
    /// the coverage file, it decides how much memory one upload takes.
    #[arg(skip = Self::default().max_window_bytes)]
    pub max_window_bytes: u64,

    /// Bytes of one file in an archive. Fixed: a file of 1 GiB is no page that a browser opens, and a coverage file of that
    /// size exceeds the memory of its reader first.
    #[arg(skip = Self::default().max_file_bytes)]
    pub max_file_bytes: u64,

    /// Bytes of the headers before one entry of an archive: long names and extended attributes. Fixed: they are read into
    /// memory, and a path may be much shorter.
    #[arg(skip = Self::default().max_header_bytes)]
    pub max_header_bytes: u64,

    /// Entries of one archive: files and folders. Fixed: 30 times the largest report known.
    #[arg(skip = Self::default().max_entries)]
    pub max_entries: u64,

    /// Bytes of one path in an archive. Fixed: file systems allow 255 bytes for one name, and reports nest few folders.
    #[arg(skip = Self::default().max_path_bytes)]
    pub max_path_bytes: usize,

    /// Uploads that are unpacked at the same time; others wait.
    #[arg(long, env = "CONCURRENT_UPLOADS", default_value_t = Self::default().concurrent_uploads,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrent_uploads: u16,

    /// Uploads that may wait; others get 503. Fixed: one that waits costs only its connection, and jobs send again.
    #[arg(skip = Self::default().waiting_uploads)]
    pub waiting_uploads: u16,

    /// The largest share, in percent, of running and of waiting uploads for one token and for one repository; 100 is no
    /// limit. Fixed: the first gets half, the next half of the rest. To give one token more, raise CONCURRENT_UPLOADS.
    #[arg(skip = Self::default().max_upload_share)]
    pub max_upload_share: u8,

    /// Seconds that an upload may wait. Fixed: shorter than the usual timeouts of CI jobs and proxies.
    #[arg(skip = Self::default().upload_wait_seconds)]
    pub upload_wait_seconds: u64,

    /// Bytes of the stored HTML reports and lines of one org with its groups [default: no limit].
    #[arg(long, env = "QUOTA_BYTES_PER_ORG")]
    pub quota_bytes_per_org: Option<u64>,

    /// Bytes of the stored HTML reports and lines of one repository [default: no limit].
    #[arg(long, env = "QUOTA_BYTES_PER_REPOSITORY")]
    pub quota_bytes_per_repository: Option<u64>,

    /// Connections at the same time; other clients get 503.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = Self::default().max_connections,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Connections of one address (of IPv6, one /64 network) at the same time. Behind a trusted proxy: requests of one
    /// client at the same time [default: a quarter of MAX_CONNECTIONS].
    #[arg(long, env = "CONNECTIONS_PER_ADDRESS", value_parser = clap::value_parser!(u16).range(1..))]
    pub connections_per_address: Option<u16>,

    /// Additional connections that only answer health checks. Fixed: a service has few monitors.
    #[arg(skip = Self::default().reserved_connections)]
    pub reserved_connections: u16,

    /// Seconds that a client may leave an answer unread. Fixed: TCP sends again several times in this time.
    #[arg(skip = Self::default().response_stall_seconds)]
    pub response_stall_seconds: u64,

    /// The lowest rate, in bytes per second, at which a client must read an answer, averaged over `response_stall_seconds`.
    /// Fixed: the slowest mobile network is faster.
    #[arg(skip = Self::default().min_read_bytes_per_second)]
    pub min_read_bytes_per_second: u64,

    /// Heavy reads at the same time: pages and lists whose cost grows with the stored data. `None` is twice the processors, at
    /// most half of DATABASE_CONNECTIONS, which is the setting to change.
    #[arg(skip = Self::default().heavy_reads)]
    pub heavy_reads: Option<u16>,

    /// Seconds that a heavy read may wait. Fixed: longer than a heavy read takes, shorter than people wait.
    #[arg(skip = Self::default().heavy_read_wait_seconds)]
    pub heavy_read_wait_seconds: u64,

    /// Seconds for the head of a request. Fixed: a head is small, so a slow network is no reason to need longer.
    #[arg(skip = Self::default().request_head_seconds)]
    pub request_head_seconds: u64,

    /// Seconds until the first byte of an upload's body. Fixed: the body follows the head at once.
    #[arg(skip = Self::default().upload_start_seconds)]
    pub upload_start_seconds: u64,

    /// Seconds that a client may pause in the middle of an upload. Fixed: TCP sends again several times in this time.
    #[arg(skip = Self::default().upload_idle_seconds)]
    pub upload_idle_seconds: u64,

    /// The lowest rate, in bytes per second, of an upload, averaged over `upload_idle_seconds`. Fixed: slower than any
    /// network that CI jobs use.
    #[arg(skip = Self::default().min_upload_bytes_per_second)]
    pub min_upload_bytes_per_second: u64,

    /// Seconds that a client may take for one upload in total. Fixed: at 300 kB/s enough for the largest archive that is
    /// allowed by default.
    #[arg(skip = Self::default().max_upload_seconds)]
    pub max_upload_seconds: u64,

    /// Rows of the ledger of uploads; a tenth of them for attempts without a valid token. Fixed: 100 days with 1,000
    /// uploads a day.
    #[arg(skip = Self::default().ledger_rows)]
    pub ledger_rows: u32,

    /// Limits on the coverage file.
    #[command(flatten)]
    pub report: ReportLimits,
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

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_upload_bytes: 512 << 20,
            max_unpacked_bytes: 4 << 30,
            max_compression_ratio: 200,
            // bgzip writes one for each 64 KiB of the archive.
            max_streams: 100_000,
            // What `xz -7` needs; lower presets and `zstd -19` need less. Together with the memory of the coverage file's reader,
            // it takes most of the 64 MiB that one upload may take.
            max_window_bytes: 16 << 20,
            max_file_bytes: 1 << 30,
            max_header_bytes: 1 << 20,
            max_entries: 200_000,
            max_path_bytes: 1_024,
            concurrent_uploads: 8,
            waiting_uploads: 256,
            max_upload_share: 50,
            upload_wait_seconds: 120,
            quota_bytes_per_org: None,
            quota_bytes_per_repository: None,
            max_connections: 512,
            connections_per_address: None,
            reserved_connections: 16,
            response_stall_seconds: 60,
            min_read_bytes_per_second: 1 << 10,
            heavy_reads: None,
            heavy_read_wait_seconds: 5,
            request_head_seconds: 30,
            upload_start_seconds: 30,
            upload_idle_seconds: 60,
            min_upload_bytes_per_second: 16 << 10,
            max_upload_seconds: 1_800,
            ledger_rows: 100_000,
            report: ReportLimits::default(),
        }
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
