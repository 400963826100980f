import { constants } from 'node:fs'
import { lstat, readFile as readWhole, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { allowedFolder, isWithin } from '../save-source.ts'
import { listFolder } from './list-folder.ts'
import { MOST_BYTES, notFound, type Origin, type Read, tooLarge, unavailable, type Validators } from './original.ts'

/** What says that there is no such file, or none that may be read. */
const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL']

/** For how long a folder that was found is not looked for again: that took as long as reading the file. */
const CHECKED_MS = 1_000

/**
 * Files of a folder on this machine. Symbolic links may not lead out of it.
 * @param allowedTexts DELIVERY_FOLDERS, which may have changed since the source was saved
 * @param grantedTexts to its account; undefined for all
 */
export function folderOrigin(
  folder: string,
  allowedTexts: readonly string[],
  grantedTexts: readonly string[] | undefined,
): Origin {
  let rootCheck: { readonly root: string; readonly at: number } | undefined

  async function check(): Promise<string> {
    const root = await allowedFolder(folder, allowedTexts, grantedTexts)
    if (root === undefined)
      throw unavailable('its folder is missing, or no longer one of DELIVERY_FOLDERS that its account may use.', undefined, false)
    rootCheck = { root, at: performance.now() }
    return root
  }
  const currentRoot = async () => (rootCheck && performance.now() - rootCheck.at < CHECKED_MS ? rootCheck.root : await check())
  return {
    async list(query, signal) {
      const root = await currentRoot()
      return await listFolder(root, query, signal).catch((error) => {
        throw isSystemError(error) ? unavailable('its folder cannot be read.', error, false) : error
      })
    },
    async read(path, knownValidators) {
      const root = await currentRoot()
      try {
        const file = await realpath(join(root, ...path))
        if (!isWithin(root, file)) throw notFound()
        return await readFile(file, knownValidators)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== undefined && MISSING.includes(code)) {
          // As with a disk that is not mounted, no file of a missing folder is known to be missing.
          await check()
          throw notFound()
        }
        throw isSystemError(error) ? unavailable('its folder cannot be read.', error, false) : error
      }
    },
  }
}

const isSystemError = (error: unknown): boolean => /^E/.test((error as NodeJS.ErrnoException).code ?? '')

/** A named pipe that takes its place would wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

async function readFile(path: string, knownValidators: Validators | undefined): Promise<Read> {
  // Before it is read: if it changes meanwhile, it is read again the next time.
  const foundStats = await lstat(path)
  if (!foundStats.isFile()) throw notFound()
  const { size, mtime, mtimeMs } = foundStats
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}"`
  if (knownValidators?.etag === etag) return {}
  if (size > MOST_BYTES) throw tooLarge()
  const bytes = await readWhole(path, { flag: FLAGS })
  if (bytes.length > MOST_BYTES) throw tooLarge()
  return { bytes, etag, lastModified: mtime.toUTCString() }
}
