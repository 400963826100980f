import { withSpan } from '@pixelmill/engine/tracing'
import { BlobNotFound, RangeNotSatisfiable, StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import type { BlobStore, RandomAccess } from 'pixelmill/bucket/blob-store'

/** One operation of a store and its outcome. */
export interface BlobOperation {
  readonly operation: 'put' | 'get' | 'load' | 'touch' | 'head' | 'open' | 'read' | 'delete' | 'list' | 'sweep' | 'check'
  readonly outcome: 'ok' | 'not_found' | 'full' | 'unavailable' | 'ended'
  readonly seconds: number
}

/** `ended`: by the caller, whose source failed or whose client disconnected; the store is not at fault. */
function outcomeOf(error: unknown): BlobOperation['outcome'] {
  if (error instanceof StorageFull) return 'full'
  if (error instanceof StorageUnavailable) return 'unavailable'
  return error instanceof BlobNotFound || error instanceof RangeNotSatisfiable ? 'not_found' : 'ended'
}

/** Wraps a store to report its operations. */
export function measuredStore(store: BlobStore, onOperation: (operation: BlobOperation) => void): BlobStore {
  const measure = <Result>(operation: BlobOperation['operation'], work: () => Promise<Result>): Promise<Result> =>
    withSpan(`blob ${operation}`, {}, () => timeOperation(operation, work))
  async function timeOperation<Result>(operation: BlobOperation['operation'], work: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    let outcome: BlobOperation['outcome'] = 'ok'
    try {
      return await work()
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      onOperation({ operation, outcome, seconds: (performance.now() - began) / 1000 })
    }
  }
  const reading = (blob: RandomAccess): RandomAccess => ({
    size: blob.size,
    read: (position, length) => measure('read', () => blob.read(position, length)),
    close: () => blob.close(),
  })
  return {
    put: (key, source, options) => measure('put', () => store.put(key, source, options)),
    keep: (key, bytes) => measure('put', () => store.keep(key, bytes)),
    get: (key, options) => measure('get', () => store.get(key, options)),
    read: (key) => measure('load', () => store.read(key)),
    touch: (key) => measure('touch', () => store.touch(key)),
    head: (key) => measure('head', () => store.head(key)),
    openRandom: async (key) => reading(await measure('open', () => store.openRandom(key))),
    delete: (key) => measure('delete', () => store.delete(key)),
    list: (prefix, cursor) => measure('list', () => store.list(prefix, cursor)),
    sweep: (olderThan) => measure('sweep', () => store.sweep(olderThan)),
    check: () => measure('check', () => store.check()),
    close: () => store.close(),
  }
}
