import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Copied, copyFile } from './copy-file.ts'

/** Incomplete uploads, and the probe of the store. */
const LEFT_OUT = /^\./

/** Copies the files of batches. Files deleted meanwhile belong to batches that no longer need them. */
export async function fileBackup(blobs: string, to: string): Promise<readonly Copied[]> {
  if (!existsSync(blobs)) return []
  const entries = await readdir(blobs, { recursive: true, withFileTypes: true })
  const copied: (Copied | undefined)[] = []
  for (const entry of entries) {
    const path = relative(blobs, join(entry.parentPath, entry.name))
    if (entry.isFile() && !LEFT_OUT.test(path)) copied.push(await copyFile(blobs, to, path))
  }
  return copied.filter((file) => file !== undefined)
}
