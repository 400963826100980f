/**
 * PostgreSQL's settings for one service on one machine: few processes, little memory, and no network.
 * `fsync` and `synchronous_commit` keep their default (on): what we acknowledged is on the disk.
 */
export const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Pools of 8 in up to four processes, and room for an operator.
  max_connections: 40,
  shared_buffers: '32MB',
  // Nobody follows our log, but a back-up is taken while the server runs, which `minimal` forbids.
  wal_level: 'replica',
  max_wal_senders: 0,
  // Bounds recovery after a crash to seconds, and the log's place on disk; the default is 1 GB. Both are the same, so that
  // its files are used again and never given back: on a disk that fills up meanwhile, PostgreSQL still has room to commit.
  max_wal_size: '64MB',
  min_wal_size: '64MB',
  // Our statements take milliseconds: neither compiling nor dividing them pays, and each worker is a process.
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: 0,
  max_parallel_workers: 0,
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  max_logical_replication_workers: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Details and statements quote values (an address, a hash): they belong to the client, not in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
} as const satisfies Record<string, string | number>

/** The settings as options of the `postgres` program. */
export function settingOptions(): readonly string[] {
  return Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
