import { readdir, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, isMissing, UNFINISHED } from './disk.ts'

/** POSIX allows either of the first two for a folder that is not empty; ENOENT: another delete was first. */
const STILL_NEEDED = ['ENOTEMPTY', 'EEXIST', 'ENOENT']

/**
 * Removes a file and the folders that become empty. It is not synced: a blob that reappears after a power loss
 * is deleted again by the housekeeping that compares blobs with the database.
 */
export async function deleteFile(root: string, path: string): Promise<void> {
  await unlink(path).catch((error) => {
    if (!isMissing(error)) throw error
  })
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    if (!(await removedEmpty(folder))) return
  }
}

async function removedEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (STILL_NEEDED.includes(errorCode(error))) return false
    throw error
  }
}

/** Removes temporary files that were not written since `olderThan`; returns how many. */
export async function sweepParts(root: string, olderThan: Date): Promise<number> {
  const folder = join(root, UNFINISHED)
  let sweptCount = 0
  for (const name of await readdir(folder)) {
    if (await removedOld(join(folder, name), olderThan)) sweptCount++
  }
  return sweptCount
}

async function removedOld(part: string, olderThan: Date): Promise<boolean> {
  try {
    if ((await stat(part)).mtime >= olderThan) return false
    await rm(part)
    return true
  } catch (error) {
    // The put completed or failed meanwhile and removed it itself.
    if (isMissing(error)) return false
    throw error
  }
}
