import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, readFile } from 'node:fs/promises'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import type { BlobHead, ListedBlob } from 'pixelmill/bucket/blob-store'
import { diskError, isMissing } from './disk.ts'

/** We create no symbolic links: one in the folder would lead out of it. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW

/** @throws BlobNotFound, StorageUnavailable */
export async function openFile(root: string, path: string, key: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS)
  } catch (error) {
    throw isMissing(error) ? new BlobNotFound(key) : diskError(root, error)
  }
}

/** The whole of a file, in one step instead of four. @throws BlobNotFound, StorageUnavailable */
export async function readWhole(root: string, path: string, key: string): Promise<Buffer> {
  try {
    return await readFile(path, { flag: FLAGS })
  } catch (error) {
    throw isMissing(error) ? new BlobNotFound(key) : diskError(root, error)
  }
}

export function headOf(stat: BigIntStats): BlobHead {
  return { size: Number(stat.size), etag: fileEtag(stat), modifiedAt: stat.mtime }
}

/** Undefined when the file was deleted after it was listed. */
export async function statFile(path: string, key: string): Promise<ListedBlob | undefined> {
  try {
    const { size, mtime } = await lstat(path)
    return { key, size, modifiedAt: mtime }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** A blob's file is written once, so inode, size and time identify it; renaming changes none of them. */
export function fileEtag({ ino, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string {
  return `"${[ino, size, mtimeNs].map((number) => number.toString(36)).join('-')}"`
}
