import { codecs } from '@pixelmill/codecs'
import { efforts } from '@pixelmill/codecs/codec'
import { LRUCache } from 'lru-cache'
import { BlobNotFound, StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { z } from 'zod'
import { caching } from './freshness.ts'

/** Under which results of all sources are stored. */
export const CACHE_PREFIX = 'cache/'

const head = z.object({
  /** As in HTTP, in double quotes. */
  etag: z.string(),
  format: z.enum(['svg', ...Object.values(codecs).map(({ name }) => name)]),
  /** Those of auto that the client accepted for whom it was made. */
  formats: z.string(),
  width: z.int(),
  height: z.int(),
  /** HTTP dates. */
  lastModified: z.string(),
  /** What the origin said of the original. */
  originEtag: z.string().optional(),
  originLastModified: z.string().optional(),
  /** When the original was last read, or said to be unchanged: milliseconds since 1970. */
  checkedAt: z.number(),
  /** What the origin said of how long it may be kept. */
  caching: caching.optional(),
  headers: z.record(z.string(), z.string()),
  /** That of its encoder, where delivery and not the URL chose it: a popular result is refined, from `fast` to `small`. */
  effort: z.enum(efforts).optional(),
  /** Of the image: a loss of power may have cut it off. Earlier releases did not write it. */
  bytes: z.int().optional(),
})

/** A result as it is cached. */
export interface Result extends Omit<z.output<typeof head>, 'bytes'> {
  readonly body: Buffer
}

export interface CacheSettings {
  /** Bytes of small results in memory. */
  readonly memoryBytes: number
  /** Whether results are stored at all. */
  readonly stores: boolean
}

export interface CacheEvents {
  /** A result could not be read or stored: it is made again, or sent all the same. */
  onFault(error: unknown): void
  /** Bytes that were stored. */
  onStored(bytes: number): void
}

/** Results in the file store, which servers may share, and the small ones of them in memory. */
export interface Cache {
  inMemory(key: string): Result | undefined
  /** From the file store. Keeps it in memory. */
  read(key: string): Promise<Result | undefined>
  write(key: string, result: Result): Promise<void>
  remove(key: string): Promise<void>
  memoryBytes(): number
}

/** Larger results are read from the store at every hit: a few of them would fill the memory. */
const SMALL_BYTES = 256 * 1024
/** Of an entry beside its body. */
const OVERHEAD_BYTES = 1_024
/** A result that is used is marked as such this often. */
const TOUCH_MS = 3_600_000

export function openCache(blobs: BlobStore, { memoryBytes, stores }: CacheSettings, { onFault, onStored }: CacheEvents): Cache {
  const memory = new LRUCache<string, Result>({
    maxSize: Math.max(1, memoryBytes),
    maxEntrySize: SMALL_BYTES + OVERHEAD_BYTES,
    sizeCalculation: ({ body }) => body.length + OVERHEAD_BYTES,
  })
  /** When results were last marked as used. */
  const touchedCache = new LRUCache<string, number>({ max: 100_000 })

  function touch(key: string): void {
    const now = Date.now()
    if (!stores || now - (touchedCache.get(key) ?? 0) < TOUCH_MS) return
    touchedCache.set(key, now)
    blobs.touch(key).catch(onFault)
  }
  function keep(key: string, result: Result): void {
    if (memoryBytes > 0) memory.set(key, result)
  }
  return {
    inMemory(key) {
      const foundResult = memory.get(key)
      if (foundResult) touch(key)
      return foundResult
    },
    async read(key) {
      if (!stores) return undefined
      try {
        const result = decode(await blobs.read(key))
        if (result) keep(key, result)
        touch(key)
        return result
      } catch (error) {
        if (error instanceof BlobNotFound) return undefined
        if (error instanceof StorageUnavailable) onFault(error)
        else throw error
        return undefined
      }
    },
    async write(key, result) {
      keep(key, result)
      if (!stores) return
      try {
        const bytes = encode(result)
        await blobs.keep(key, bytes)
        touchedCache.set(key, Date.now())
        onStored(bytes.length)
      } catch (error) {
        if (!(error instanceof StorageFull || error instanceof StorageUnavailable)) throw error
        onFault(error)
      }
    },
    async remove(key) {
      memory.delete(key)
      if (stores) await blobs.delete(key).catch(onFault)
    },
    memoryBytes: () => memory.calculatedSize,
  }
}

const LENGTH_BYTES = 4

/** Length of the head, the head as JSON, the image. */
function encode({ body, ...rest }: Result): Buffer {
  const json = Buffer.from(JSON.stringify({ ...rest, bytes: body.length }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, body])
}

/** Undefined for what another release wrote in another form, or a disk damaged. */
function decode(bytes: Buffer): Result | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined
  const end = LENGTH_BYTES + bytes.readUInt32BE()
  try {
    const parsedSchema = head.safeParse(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)))
    if (!parsedSchema.success) return undefined
    const { bytes: whole, ...rest } = parsedSchema.data
    const body = bytes.subarray(end)
    return whole === undefined || whole === body.length ? { ...rest, body } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
