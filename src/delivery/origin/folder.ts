import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isAllowedFolder, isWithin } from '../save-source.ts'
import { MOST_BYTES, notFound, type Origin, type Read, tooLarge, unavailable, type Validators } from './original.ts'

/** What says that there is no such file, or none that may be read. */
const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL']

/**
 * Files of a folder on this machine. Symbolic links may not lead out of it.
 * @param allowed DELIVERY_FOLDERS, which may have changed since the source was saved
 * @param granted to its account; undefined for all
 */
export function folderOrigin(folder: string, allowed: readonly string[], granted: readonly string[] | undefined): Origin {
  return {
    async read(path, known) {
      // Asked each time: as with a disk that is not mounted, no file of a missing folder is known to be missing.
      if (!(await isAllowedFolder(folder, allowed, granted)))
        throw unavailable(
          'its folder is missing, or no longer one of DELIVERY_FOLDERS that its account may use.',
          undefined,
          false,
        )
      try {
        const root = await realpath(folder)
        const file = await realpath(join(root, ...path))
        if (!isWithin(root, file)) throw notFound()
        return await readFile(file, known)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== undefined && MISSING.includes(code)) throw notFound()
        throw code === undefined || !code.startsWith('E') ? error : unavailable('its folder cannot be read.', error, false)
      }
    },
  }
}

async function readFile(path: string, known: Validators | undefined): Promise<Read> {
  // A named pipe would wait for a writer.
  await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  const found = await handle.stat()
  if (!found.isFile()) throw notFound()
  const { size, mtime, mtimeMs } = found
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}"`
  if (known?.etag === etag) return 'unchanged'
  if (size > MOST_BYTES) throw tooLarge()
  const bytes = Buffer.allocUnsafe(size)
  const { bytesRead } = await handle.read(bytes, 0, size, 0)
  return { bytes: bytes.subarray(0, bytesRead), etag, lastModified: mtime.toUTCString() }
}
