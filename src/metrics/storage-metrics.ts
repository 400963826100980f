import { statfs } from 'node:fs/promises'
import type { BlobOperation } from '../blobs/measured-store.ts'
import type { OutboundCall } from '../outbound/measured-outbound.ts'
import type { Meter, Watched } from './meter.ts'

/** Numbers of the ways out: the store of files, and other servers. */
export interface StorageMetrics {
  onBlob(operation: BlobOperation): void
  onOutbound(call: OutboundCall): void
}

/** A disk that does not tell, or has gone, costs its gauges only. */
const freeBytes = (dir: string): Promise<number | undefined> =>
  statfs(dir).then(
    ({ blocks, bavail, bsize }) => (blocks === 0 ? undefined : bavail * bsize),
    () => undefined,
  )

export function storageMetrics(meter: Meter, watched: Partial<Watched>): StorageMetrics {
  const operations = meter.histogram(
    'blob_operation_seconds',
    'Time of operations of the store of files, by what came of them; of get and open, until the first byte can be read.',
    ['operation', 'outcome'],
  )
  meter.number(
    'disk_free_bytes',
    'Bytes that are free on the disk of DATA_DIR, where anything is kept there.',
    () => watched.disk && freeBytes(watched.disk.dir),
  )
  meter.number(
    'disk_reserve_bytes',
    'Bytes that files leave free there for the database: STORAGE_RESERVE_MB.',
    () => watched.disk?.reserveBytes,
  )
  const calls = meter.histogram(
    'outbound_request_seconds',
    'Time until other servers answered, by whose address it was (caller or operator) and what came of it: a class of status, or why there was none.',
    ['address', 'outcome'],
  )
  return {
    onBlob: ({ operation, outcome, seconds }) => operations.observe({ operation, outcome }, seconds),
    onOutbound: ({ address, outcome, seconds }) => calls.observe({ address, outcome }, seconds),
  }
}
