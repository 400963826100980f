import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  assertBlobKey,
  assertBlobPrefix,
  type BlobPage,
  type BlobStore,
  type ListedBlob,
  PAGE_BLOBS,
  PROBE,
} from 'pixelmill/bucket/blob-store'
import { resolveRange } from 'pixelmill/bucket/byte-range'
import { blobPath, type Disk, diskError, isMissing, makeFolders, onDisk, UNFINISHED } from './disk.ts'
import { keepFile, watchRoom } from './keep-file.ts'
import { listKeys } from './list-keys.ts'
import { headOf, openFile, readWhole, statFile } from './open-file.ts'
import { putFile } from './put-file.ts'
import { deleteFile, sweepParts } from './remove.ts'

/** Stores blobs as files in a folder, which is created if its parent exists. @throws StorageUnavailable, StorageFull */
export async function openFolder(disk: Disk): Promise<BlobStore> {
  const { root } = disk
  await onDisk(root, makeFolders(root, join(root, UNFINISHED)))
  const pathOf = (key: string) => {
    assertBlobKey(key)
    return blobPath(root, key)
  }
  const roomFor = watchRoom(disk)
  return {
    put: async (key, source, options) => putFile(disk, pathOf(key), source, options),

    keep: async (key, bytes) => keepFile(disk, roomFor, pathOf(key), bytes),

    async get(key, { range } = {}) {
      await using openedStack = new AsyncDisposableStack()
      const handle = openedStack.use(await openFile(root, pathOf(key), key))
      const head = headOf(await onDisk(root, handle.stat({ bigint: true })))
      const contentRange = range && resolveRange(range, head.size)
      const span = contentRange ? { start: contentRange.first, end: contentRange.last } : {}
      const stream = handle.createReadStream(span)
      openedStack.move()
      return { ...head, stream, ...(contentRange && { contentRange }) }
    },

    read: async (key) => readWhole(root, pathOf(key), key),

    async head(key) {
      await using handle = await openFile(root, pathOf(key), key)
      return headOf(await onDisk(root, handle.stat({ bigint: true })))
    },

    async openRandom(key) {
      const handle = await openFile(root, pathOf(key), key)
      const { size } = await onDisk(root, handle.stat())
      return {
        size,
        async read(position, length) {
          const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)))
          const { bytesRead } = await onDisk(root, handle.read(bytes, 0, bytes.length, position))
          return bytes.subarray(0, bytesRead)
        },
        close: () => onDisk(root, handle.close()),
      }
    },

    delete: async (key) => onDisk(root, deleteFile(root, pathOf(key))),

    async touch(key) {
      const now = new Date()
      await utimes(pathOf(key), now, now).catch((error) => {
        if (!isMissing(error)) throw diskError(root, error)
      })
    },

    async list(prefix, cursor = '') {
      assertBlobPrefix(prefix)
      return await onDisk(root, listPage(root, prefix, cursor))
    },

    sweep: async (olderThan) => onDisk(root, sweepParts(root, olderThan)),

    async check() {
      const probe = join(root, PROBE)
      await putFile(disk, probe, Readable.from([Buffer.from('probe')]))
      await onDisk(root, deleteFile(root, probe))
    },

    close: async () => {},
  }
}

/** Node has four threads for files: what requests read must not wait behind a thousand of these, each of which may wait for a disk. */
const STATS_AT_ONCE = 2

async function listPage(root: string, prefix: string, cursor: string): Promise<BlobPage> {
  const keys: string[] = []
  for await (const key of listKeys(root, prefix, cursor)) {
    if (keys.push(key) > PAGE_BLOBS) break
  }
  const page = keys.slice(0, PAGE_BLOBS)
  const blobs: (ListedBlob | undefined)[] = []
  for (let at = 0; at < page.length; at += STATS_AT_ONCE)
    blobs.push(...(await Promise.all(page.slice(at, at + STATS_AT_ONCE).map((key) => statFile(blobPath(root, key), key)))))
  const last = page.at(-1)
  return { blobs: blobs.flatMap((blob) => blob ?? []), ...(keys.length > PAGE_BLOBS && last && { cursor: last }) }
}
