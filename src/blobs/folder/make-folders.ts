import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './disk-errors.ts'

/**
 * Makes a folder that stands below `root` or is it, and those between. Step by step: Node's `recursive` would make the
 * folders above `root` again when its disk is gone, and never returns where a folder that is there takes none, as in /proc.
 */
export async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder.length > root.length) await makeFolders(root, dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

/** Puts on the disk the names of a folder's files, its own name in the one above, and so on up to `root`. */
export async function syncFolders(root: string, folder: string): Promise<void> {
  for (let path = folder; path.length >= root.length; path = dirname(path)) {
    await using handle = await open(path)
    await handle.sync()
  }
}
