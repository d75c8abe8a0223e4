//! All limits on uploads, connections and time, in one place.

use super::ReportLimits;
use crate::store::Quotas;
use clap::Args;
use std::{num::NonZero, thread};

/// Sizes, numbers and timeouts. An upload that exceeds a limit gets an error that names the limit.
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

    /// Unpacked bytes for each byte sent; checked above 64 MiB of unpacked bytes.
    #[arg(long, env = "MAX_COMPRESSION_RATIO", default_value_t = Self::default().max_compression_ratio,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub max_compression_ratio: u64,

    /// Consecutive gzip or bzip2 streams in an archive: members, or blocks of a parallel compressor.
    #[arg(long, env = "MAX_STREAMS", default_value_t = Self::default().max_streams)]
    pub max_streams: u64,

    /// Bytes of the decompression window: the dictionary of xz, the window of zstd.
    #[arg(long, env = "MAX_WINDOW_BYTES", default_value_t = Self::default().max_window_bytes)]
    pub max_window_bytes: u64,

    /// Bytes of one file in an archive; at most 4,000 MiB, since what does not compress grows a little.
    #[arg(long, env = "MAX_FILE_BYTES", default_value_t = Self::default().max_file_bytes,
          value_parser = clap::value_parser!(u64).range(..=4_000 << 20))]
    pub max_file_bytes: u64,

    /// Bytes of the headers before one entry of an archive: long names and extended attributes.
    #[arg(long, env = "MAX_HEADER_BYTES", default_value_t = Self::default().max_header_bytes)]
    pub max_header_bytes: u64,

    /// Entries of one archive: files and folders.
    #[arg(long, env = "MAX_ENTRIES", default_value_t = Self::default().max_entries)]
    pub max_entries: u64,

    /// Bytes of one path in an archive.
    #[arg(long, env = "MAX_PATH_BYTES", default_value_t = Self::default().max_path_bytes)]
    pub max_path_bytes: usize,

    /// Uploads that are unpacked at the same time; others wait.
    #[arg(long, env = "CONCURRENT_UPLOADS", default_value_t = Self::default().concurrent_uploads,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrent_uploads: u16,

    /// Uploads that may wait; others get 503.
    #[arg(long, env = "WAITING_UPLOADS", default_value_t = Self::default().waiting_uploads)]
    pub waiting_uploads: u16,

    /// The largest share, in percent, of running and of waiting uploads for one token and for one repository; 100 is no
    /// limit.
    #[arg(long, env = "MAX_UPLOAD_SHARE", default_value_t = Self::default().max_upload_share,
          value_parser = clap::value_parser!(u8).range(1..=100))]
    pub max_upload_share: u8,

    /// Seconds that an upload may wait.
    #[arg(long, env = "UPLOAD_WAIT_SECONDS", default_value_t = Self::default().upload_wait_seconds)]
    pub upload_wait_seconds: u64,

    /// Bytes of the stored HTML reports of one organisation with its groups [default: no limit].
    #[arg(long, env = "QUOTA_BYTES_PER_ORG")]
    pub quota_bytes_per_org: Option<u64>,

    /// Bytes of the stored HTML reports of one repository [default: no limit].
    #[arg(long, env = "QUOTA_BYTES_PER_REPOSITORY")]
    pub quota_bytes_per_repository: Option<u64>,

    /// Connections at the same time; other clients get 503.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = Self::default().max_connections,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Connections of one address (of IPv6, one /64 network) at the same time. Behind a trusted proxy: requests of one client
    /// at the same time [default: a quarter of MAX_CONNECTIONS].
    #[arg(long, env = "CONNECTIONS_PER_ADDRESS", value_parser = clap::value_parser!(u16).range(1..))]
    pub connections_per_address: Option<u16>,

    /// Additional connections that only answer health checks.
    #[arg(long, env = "RESERVED_CONNECTIONS", default_value_t = Self::default().reserved_connections)]
    pub reserved_connections: u16,

    /// Seconds that a client may leave an answer unread.
    #[arg(long, env = "RESPONSE_STALL_SECONDS", default_value_t = Self::default().response_stall_seconds)]
    pub response_stall_seconds: u64,

    /// The lowest rate, in bytes per second, at which a client must read an answer, averaged over RESPONSE_STALL_SECONDS.
    #[arg(long, env = "MIN_READ_BYTES_PER_SECOND", default_value_t = Self::default().min_read_bytes_per_second)]
    pub min_read_bytes_per_second: u64,

    /// Heavy reads at the same time: pages and lists whose cost grows with the stored data [default: twice the processors, at
    /// most half of DATABASE_CONNECTIONS].
    #[arg(long, env = "HEAVY_READS", value_parser = clap::value_parser!(u16).range(1..))]
    pub heavy_reads: Option<u16>,

    /// Seconds that a heavy read may wait.
    #[arg(long, env = "HEAVY_READ_WAIT_SECONDS", default_value_t = Self::default().heavy_read_wait_seconds)]
    pub heavy_read_wait_seconds: u64,

    /// Seconds for the head of a request.
    #[arg(long, env = "REQUEST_HEAD_SECONDS", default_value_t = Self::default().request_head_seconds)]
    pub request_head_seconds: u64,

    /// Seconds until the first byte of an upload's body.
    #[arg(long, env = "UPLOAD_START_SECONDS", default_value_t = Self::default().upload_start_seconds)]
    pub upload_start_seconds: u64,

    /// Seconds that a client may pause in the middle of an upload.
    #[arg(long, env = "UPLOAD_IDLE_SECONDS", default_value_t = Self::default().upload_idle_seconds)]
    pub upload_idle_seconds: u64,

    /// The lowest rate, in bytes per second, of an upload, averaged over UPLOAD_IDLE_SECONDS.
    #[arg(long, env = "MIN_UPLOAD_BYTES_PER_SECOND", default_value_t = Self::default().min_upload_bytes_per_second)]
    pub min_upload_bytes_per_second: u64,

    /// Seconds that a client may take for one upload in total.
    #[arg(long, env = "MAX_UPLOAD_SECONDS", default_value_t = Self::default().max_upload_seconds)]
    pub max_upload_seconds: u64,

    /// Rows of the ledger of uploads; a tenth of them for attempts without a valid token.
    #[arg(long, env = "LEDGER_ROWS", default_value_t = Self::default().ledger_rows)]
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
            // What `xz -7` needs: more than any preset up to that, and than `zstd -19`. With what a report's reader may keep
            // it is the greater part of the 64 MiB that one upload may take.
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
