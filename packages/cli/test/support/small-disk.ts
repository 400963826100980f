import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEGABYTE = 1024 * 1024

export interface SmallDisk {
  readonly path: string
  remove(): void
}

/** A disk of this many megabytes, in memory. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'pixelmill-disk-'))
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { encoding: 'utf8' })
  if (status !== 0) {
    rmdirSync(path)
    throw new Error(stderr)
  }
  return {
    path,
    remove() {
      spawnSync('umount', [path])
      rmdirSync(path)
    },
  }
}

/** Whether this user may mount one: only trying shows it, since containers forbid it even to root. */
export function noSmallDisk(): string | false {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'mounting a small disk needs root on Linux'
  try {
    mountSmallDisk(1).remove()
    return false
  } catch (error) {
    return `a small disk cannot be mounted here: ${error instanceof Error ? error.message.trim() : error}`
  }
}

/** Writes a file until only this many megabytes are left, or not one block. Removing it frees the space. */
export function fillUp(file: string, megabytesLeft = 0): void {
  const filler = openSync(file, 'w')
  if (megabytesLeft > 0) {
    const { bavail, bsize } = statfsSync(file)
    const bytes = bavail * bsize - megabytesLeft * MEGABYTE
    for (let left = bytes; left > 0; left -= MEGABYTE) writeSync(filler, Buffer.alloc(Math.min(left, MEGABYTE)))
    closeSync(filler)
    return
  }
  for (const bytes of [MEGABYTE, 4096]) {
    const chunk = Buffer.alloc(bytes)
    while (write(filler, chunk));
  }
  closeSync(filler)
}

function write(file: number, chunk: Buffer): boolean {
  try {
    return writeSync(file, chunk) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
