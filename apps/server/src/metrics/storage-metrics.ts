import { statfs } from 'node:fs/promises'
import type { BlobOperation } from '../blobs/measured-store.ts'
import type { OutboundCall } from '../outbound/measured-outbound.ts'
import type { Meter, Watched } from './meter.ts'

/** Metrics of the file store and of requests to other servers. */
export interface StorageMetrics {
  onBlob(operation: BlobOperation): void
  onOutbound(call: OutboundCall): void
}

/** Undefined for a disk that does not report it, or that was removed. */
const freeBytes = (dir: string): Promise<number | undefined> =>
  statfs(dir).then(
    ({ blocks, bavail, bsize }) => (blocks === 0 ? undefined : bavail * bsize),
    () => undefined,
  )

export function storageMetrics(meter: Meter, parts: Partial<Watched>): StorageMetrics {
  const operations = meter.histogram(
    'blob_operation_seconds',
    'Duration of file store operations, by outcome; for get and open until the first byte.',
    ['operation', 'outcome'],
  )
  meter.number(
    'disk_free_bytes',
    'Free bytes on the disk of DATA_DIR, if it is in use.',
    () => parts.disk && freeBytes(parts.disk.dir),
  )
  meter.number(
    'disk_reserve_bytes',
    'Bytes of that disk reserved for the database: STORAGE_RESERVE_MB.',
    () => parts.disk?.reserveBytes,
  )
  const calls = meter.histogram(
    'outbound_request_seconds',
    'Response time of other servers, by origin of the address (caller or operator) and outcome: class of status, or reason of failure.',
    ['address', 'outcome'],
  )
  return {
    onBlob: ({ operation, outcome, seconds }) => operations.observe({ operation, outcome }, seconds),
    onOutbound: ({ address, outcome, seconds }) => calls.observe({ address, outcome }, seconds),
  }
}
