import { statfs } from 'node:fs/promises'
import { StorageFull } from '../blob-errors.ts'
import { onDisk } from './disk-errors.ts'

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
