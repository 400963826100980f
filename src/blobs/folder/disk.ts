import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StorageFull, StorageUnavailable } from '../blob-errors.ts'

/** Where a store's folder is, and how much room puts leave to others there: a database on the same disk lives from it. */
export interface Disk {
  readonly root: string
  /** Bytes that stay free. */
  readonly reserveBytes: number
}

/** @throws StorageFull when less than the reserve is free */
export async function requireRoom({ root, reserveBytes }: Disk): Promise<void> {
  const { blocks, bavail, bsize } = await onDisk(root, statfs(root))
  // Some disks of a network say nothing of their size.
  if (blocks === 0 || bavail * bsize >= reserveBytes) return
  const mebibytes = (bytes: number) => Math.floor(bytes / 2 ** 20)
  throw new StorageFull(
    `The disk of ${root} has ${mebibytes(bavail * bsize)} MiB left, and files leave ${mebibytes(reserveBytes)} MiB free.`,
  )
}

/** The codes of open(2), write(2) and fsync(2) for a full disk and a full quota. */
const FULL = ['ENOSPC', 'EDQUOT']

/** Awaits something that only the disk can make fail. @throws StorageFull, StorageUnavailable */
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

/** ENOTDIR: a file of somebody else's stands where the key's folder would be. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}

export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

/** Ends the name of every folder: no key has a `+`, so that the keys `a` and `a/b` do not get into each other's way. */
const FOLDER_MARK = '+'

/** Puts not yet whole; it begins with a dot, as no key does. */
export const UNFINISHED = '.tmp'

export function blobPath(root: string, key: string): string {
  return join(root, key.replaceAll('/', `${FOLDER_MARK}/`))
}

/** The beginning of the keys in a folder of this name, ending in `/`; undefined when it is none of ours. */
export function folderPrefix(name: string): string | undefined {
  return name.endsWith(FOLDER_MARK) ? `${name.slice(0, -FOLDER_MARK.length)}/` : undefined
}

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
