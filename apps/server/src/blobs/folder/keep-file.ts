import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Disk, isMissing, makeFolders, onDisk, requireRoom, UNFINISHED } from './disk.ts'
import { ASK_EVERY_BYTES, ATTEMPTS, removePart } from './put-file.ts'

/**
 * Writes a file that may be lost with the power, and renames it when it is complete. Each step wakes a thread and then this one, which
 * costs more than the work itself: these are two, and a put has six and its syncs.
 */
export async function keepFile(disk: Disk, roomFor: RoomFor, path: string, bytes: Buffer): Promise<void> {
  const { root } = disk
  await roomFor(bytes.length)
  const part = join(root, UNFINISHED, randomUUID())
  try {
    await onDisk(root, writeFile(part, bytes, { flag: 'wx', mode: 0o600 }))
    await onDisk(root, moveInto(root, part, path))
  } catch (error) {
    await removePart(root, part, error)
    throw error
  }
}

/** The folder is made where it is missing, also if a delete of its last blob has just removed it. */
async function moveInto(root: string, part: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1) await makeFolders(root, dirname(path))
      return await rename(part, path)
    } catch (error) {
      if (attempt === ATTEMPTS || !isMissing(error)) throw error
    }
  }
}

/** @throws StorageFull */
export type RoomFor = (bytes: number) => Promise<void>

const ASK_EVERY_MS = 1_000

/** Asks for the free space once for many small files: at most a second and `ASK_EVERY_BYTES` later. */
export function watchRoom(disk: Disk): RoomFor {
  let askedAt = Number.NEGATIVE_INFINITY
  let unaskedCount = 0
  return async (bytes) => {
    unaskedCount += bytes
    if (unaskedCount < ASK_EVERY_BYTES && performance.now() - askedAt < ASK_EVERY_MS) return
    await requireRoom(disk)
    unaskedCount = 0
    askedAt = performance.now()
  }
}
