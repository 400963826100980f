import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { holdSource, type PutOptions, type StoredBlob } from 'pixelmill/bucket/blob-store'
import { type Disk, diskError, isMissing, makeFolders, onDisk, requireRoom, syncFolders, UNFINISHED } from './disk.ts'
import { fileEtag } from './open-file.ts'

/**
 * Writes a stream into a temporary file and renames it to `path` when it is complete and synced: after a crash or a power
 * loss there is either the old blob or the new one.
 */
export async function putFile(
  disk: Disk,
  path: string,
  source: Readable,
  { signal }: Pick<PutOptions, 'signal'> = {},
): Promise<StoredBlob> {
  const { root } = disk
  holdSource(source, signal)
  const part = join(root, UNFINISHED, randomUUID())
  try {
    const storedBlob = await writePart(disk, part, source)
    signal?.throwIfAborted()
    await onDisk(root, moveIntoPlace(root, part, path))
    return storedBlob
  } catch (error) {
    source.destroy()
    await removePart(root, part, error)
    throw error
  }
}

/** @param cause why it was not completed */
export async function removePart(root: string, part: string, cause: unknown): Promise<void> {
  await rm(part, { force: true }).catch((left) => Promise.reject(diskError(root, new AggregateError([cause, left]))))
}

/** A check costs 20 µs; each of several concurrent puts may exceed the reserve by this much before it notices. */
export const ASK_EVERY_BYTES = 4 * 2 ** 20

async function writePart(disk: Disk, part: string, source: Readable): Promise<StoredBlob> {
  const { root } = disk
  await requireRoom(disk)
  await using handle = await onDisk(root, open(part, 'wx', 0o600))
  let unaskedCount = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    await onDisk(root, handle.writeFile(chunk))
    unaskedCount += chunk.length
    if (unaskedCount < ASK_EVERY_BYTES) continue
    await requireRoom(disk)
    unaskedCount = 0
  }
  return await onDisk(root, finish(handle))
}

async function finish(handle: FileHandle): Promise<StoredBlob> {
  await handle.sync()
  const stat = await handle.stat({ bigint: true })
  return { bytes: Number(stat.size), etag: fileEtag(stat) }
}

/** At each attempt, a delete of the folder's last blob may have removed the folder between the two steps. */
export const ATTEMPTS = 100

/** Folders whose directory entries this process has synced: a put into one takes 3 system calls instead of 16. */
const settledTexts = new Set<string>()
const MOST_SETTLED = 1_000

async function moveIntoPlace(root: string, part: string, path: string): Promise<void> {
  const folder = dirname(path)
  for (let attempt = 1; ; attempt++) {
    try {
      if (!settledTexts.has(folder)) await makeFolders(root, folder)
      await rename(part, path)
      await syncFolders(settledTexts.has(folder) ? folder : root, folder)
      if (settledTexts.size >= MOST_SETTLED) settledTexts.clear()
      settledTexts.add(folder)
      return
    } catch (error) {
      settledTexts.delete(folder)
      if (attempt === ATTEMPTS || !isMissing(error)) throw error
    }
  }
}
