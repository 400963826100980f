import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'

/** A store's folder, and the space that puts leave free on its disk, for example for the database. */
export interface Disk {
  readonly root: string
  /** Bytes that stay free. */
  readonly reserveBytes: number
}

/** @throws StorageFull when less than the reserve is free */
export async function requireRoom({ root, reserveBytes }: Disk): Promise<void> {
  const { blocks, bavail, bsize } = await onDisk(root, statfs(root))
  // Some network file systems do not report their size.
  if (blocks === 0 || bavail * bsize >= reserveBytes) return
  const mebibytes = (bytes: number) => Math.floor(bytes / 2 ** 20)
  throw new StorageFull(
    `The disk of ${root} has ${mebibytes(bavail * bsize)} MiB left, and files leave ${mebibytes(reserveBytes)} MiB free.`,
  )
}

/** Error codes of open(2), write(2) and fsync(2) for a full disk and a full quota. */
const FULL = ['ENOSPC', 'EDQUOT']

/** Awaits a disk operation. @throws StorageFull, StorageUnavailable */
export function onDisk<Result>(root: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw diskError(root, error)
  })
}

export function diskError(root: string, cause: unknown): StorageFull | StorageUnavailable {
  const code = errorCode(cause)
  if (FULL.includes(code)) return new StorageFull(`The disk of ${root} is full (${code}).`, { cause })
  return new StorageUnavailable(`Cannot use the folder ${root} (${code}).`, { cause })
}

/** ENOTDIR: a foreign file has the name of the key's folder. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}

export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

/** Suffix of every folder name: no key has a `+`, so that the keys `a` and `a/b` do not collide. */
const FOLDER_MARK = '+'

/** The folder of incomplete puts; it begins with a dot, which no key does. */
export const UNFINISHED = '.tmp'

export function blobPath(root: string, key: string): string {
  return join(root, key.replaceAll('/', `${FOLDER_MARK}/`))
}

/** The key prefix of a folder, ending in `/`; undefined for a foreign folder. */
export function folderPrefix(name: string): string | undefined {
  return name.endsWith(FOLDER_MARK) ? `${name.slice(0, -FOLDER_MARK.length)}/` : undefined
}

/**
 * Creates a folder inside `root`, or `root` itself, and those between. Not by Node's `recursive`, which would also create the
 * folders above `root` when its disk is not mounted, and never returns where folders cannot be created, as in /proc.
 */
export async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder.length > root.length) await makeFolders(root, dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

/** Syncs a folder and its parents up to `root`, so that their directory entries survive a power loss. */
export async function syncFolders(root: string, folder: string): Promise<void> {
  for (let path = folder; path.length >= root.length; path = dirname(path)) {
    await using handle = await open(path)
    await handle.sync()
  }
}
