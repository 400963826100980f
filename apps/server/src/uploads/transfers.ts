import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@pixelmill/codecs/contract/limits'
import { sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Instance } from '../metering/instance.ts'
import type { Received } from './received.ts'
import { recordPart, tooLarge } from './record-upload.ts'
import { removeUpload } from './remove-uploads.ts'
import { newPartKey, type UploadLimits, type UploadRow, type UploadStores } from './upload.ts'

/** Who writes to which upload: one request at a time, of all servers. */
export interface Transfers {
  /** Runs `work` as the only one that writes to the upload. @throws ApiError upload_in_use */
  alone<Result>(id: string, work: (stoppedSignal: AbortSignal) => Promise<Result>): Promise<Result>
  /** Ends the request that writes to the upload, if there is one: what it has sent is recorded then. @throws ApiError upload_in_use */
  release(id: string): Promise<void>
}

/** How often a writer looks whether another server wants the upload, and how long that one waits. */
const LOOK_MS = 500
const WAIT_MS = 5_000
const ASK_MS = 100

export function openTransfers({ database }: UploadStores, instance: Pick<Instance, 'tryLock' | 'unlock'>): Transfers {
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>()

  /** Stops `work` when a request of another server wants the upload, or has removed it. */
  function watch(id: string, stop: AbortController): NodeJS.Timeout {
    const began = sql<Date>`clock_timestamp() - make_interval(secs => ${LOOK_MS / 1000})`
    const look = async () => {
      const row = await database.kysely
        .selectFrom('upload')
        .select('id')
        .where('id', '=', id)
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .where(({ eb, or }) => or([eb('released_at', 'is', null), eb('released_at', '<', began)]))
        .executeTakeFirst()
      if (!row) stop.abort(new ApiError('upload_in_use'))
    }
    // While the database is away nothing can be recorded either: the next look comes soon.
    return setInterval(() => void look().catch(() => {}), LOOK_MS).unref()
  }
  return {
    async alone(id, work) {
      if (running.has(id)) throw new ApiError('upload_in_use')
      const stop = new AbortController()
      const { promise: ending, resolve: end } = Promise.withResolvers<void>()
      running.set(id, { stop, ended: ending })
      const lock = lockOf(id)
      let watching: NodeJS.Timeout | undefined
      let isHeld = false
      try {
        isHeld = await instance.tryLock(lock)
        if (!isHeld) throw new ApiError('upload_in_use')
        watching = watch(id, stop)
        return await work(stop.signal)
      } finally {
        clearInterval(watching)
        if (isHeld) await instance.unlock(lock)
        running.delete(id)
        end()
      }
    },
    async release(id) {
      const own = running.get(id)
      if (own) {
        own.stop.abort(new ApiError('upload_in_use'))
        await own.ended
        return
      }
      const lock = lockOf(id)
      for (const began = performance.now(); !(await instance.tryLock(lock)); await sleep(ASK_MS)) {
        if (performance.now() - began > WAIT_MS) throw new ApiError('upload_in_use')
        // Each time: a writer heeds only what was asked since its last look.
        await database.kysely
          .updateTable('upload')
          .set({ released_at: sql<Date>`clock_timestamp()` })
          .where('id', '=', id)
          .execute()
      }
      await instance.unlock(lock)
    },
  }
}

const lockOf = (id: string): string => createHash('sha256').update(`upload ${id}`).digest().readBigInt64BE().toString()

/**
 * Writes what is received behind the parts that are there, in parts of its own: a crash loses the last. Ends where the sender does,
 * early or not.
 * @param onPart called after each part, with the upload as it is then
 * @throws ApiError upload_length_mismatch or file_too_large for more bytes than were announced or are allowed, after which the upload is
 * removed; what the store throws
 */
export async function writeParts(
  stores: UploadStores,
  most: UploadLimits,
  uploadRow: UploadRow,
  receivedBytes: Received,
  onPart: (row: UploadRow) => void,
): Promise<UploadRow> {
  const { database, blobs } = stores
  const bound = uploadRow.length ?? most.mostBytes
  let row = uploadRow
  for (let chunk = await receivedBytes.next(); chunk; chunk = await receivedBytes.next()) {
    const key = newPartKey(row.id, row.stored)
    const part = partOf(chunk, receivedBytes, bound - row.stored)
    const { bytes } = await blobs.put(key, part.stream, { contentType: row.content_type })
    if (part.isTooLong()) {
      await blobs.delete(key)
      await removeUpload(stores, row)
      throw uploadRow.length === null ? tooLarge(most.mostBytes) : new ApiError('upload_length_mismatch')
    }
    try {
      row = await recordPart(database.kysely, most, row, { first: row.stored, bytes, key })
    } catch (error) {
      await blobs.delete(key).catch(() => {})
      throw error
    }
    onPart(row)
  }
  return row
}

/** A stream of the next bytes, up to the size of a part, and not many more than `room`. */
function partOf(first: Buffer, receivedBytes: Received, room: number) {
  let bytes = 0
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let chunk: Buffer | undefined = first; chunk; chunk = await receivedBytes.next()) {
      bytes += chunk.length
      if (bytes > room) return
      yield chunk
      if (bytes >= limits.handles.partBytes) return
    }
  }
  return { stream: Readable.from(chunks(), { objectMode: false }), isTooLong: () => bytes > room }
}
