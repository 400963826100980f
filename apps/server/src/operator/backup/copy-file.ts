import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A copied file's SHA-256 as 64 hexadecimal digits, and its size. */
export interface Copied {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/**
 * Copies a file and syncs it to the disk; `path` is relative to both folders. Undefined if it was deleted meanwhile, as happens
 * in a running database.
 */
export async function copyFile(from: string, to: string, path: string): Promise<Copied | undefined> {
  const source = createReadStream(join(from, path))
  try {
    return await writeFile(to, path, source)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && syscall === 'open' && !source.readable) return undefined
    throw error
  } finally {
    source.destroy()
  }
}

/** Writes a file below a folder, readable only by its owner, and syncs it. */
export async function writeFile(to: string, path: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Copied> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
  // Opens the source before anything is created: a missing source leaves nothing behind.
  let next = await iterator.next()
  const file = join(to, path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await using handle = await open(file, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  for (; !next.done; next = await iterator.next()) {
    hash.update(next.value)
    bytes += next.value.length
    await handle.writeFile(next.value)
  }
  await handle.sync()
  return { path, sha256: hash.digest('hex'), bytes }
}

/** A new or renamed file survives a power loss only after its folder was synced. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

/** A folder and all folders in it. */
export async function syncFolders(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  await syncFolder(root)
}
