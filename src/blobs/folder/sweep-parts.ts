import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UNFINISHED } from './blob-path.ts'
import { isMissing } from './disk-errors.ts'

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
