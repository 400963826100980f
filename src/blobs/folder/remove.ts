import { readdir, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, isMissing, UNFINISHED } from './disk.ts'

/** POSIX lets rmdir(2) say either of a folder that has something in it; ENOENT: another delete was first. */
const STILL_NEEDED = ['ENOTEMPTY', 'EEXIST', 'ENOENT']

/**
 * Removes a file and the folders that it leaves empty. It is not made to outlast a power loss: a blob that comes back
 * then is deleted again by whoever keeps count of them.
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

/** Removes parts nobody has written to since `olderThan`; tells how many. */
export async function sweepParts(root: string, olderThan: Date): Promise<number> {
  const folder = join(root, UNFINISHED)
  let swept = 0
  for (const name of await readdir(folder)) {
    if (await removedOld(join(folder, name), olderThan)) swept++
  }
  return swept
}

async function removedOld(part: string, olderThan: Date): Promise<boolean> {
  try {
    if ((await stat(part)).mtime >= olderThan) return false
    await rm(part)
    return true
  } catch (error) {
    // A put that was whole or gave up meanwhile took it away itself.
    if (isMissing(error)) return false
    throw error
  }
}
