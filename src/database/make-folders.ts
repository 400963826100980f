import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it that are missing, each with `mode`; a folder that is there is left as it is.
 * `mkdir` of Node with `recursive` never ends where a file system answers ENOENT although the folder above exists, as
 * /proc does: it makes that folder again and again.
 * @throws Error of the system call that failed
 */
export async function makeFolders(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return
  const above = dirname(path)
  if (above !== path) await makeFolders(above, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Whatever the reason is: mkdir, which comes next, fails for it too and says so.
    return false
  }
}
