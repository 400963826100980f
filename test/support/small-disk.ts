import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly path: string
  remove(): void
}

/** A disk of so many megabytes, in memory. */
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

/** Whether this user may mount one: only trying tells, since containers keep it from root too. */
export function noSmallDisk(): string | false {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'mounting a small disk needs root on Linux'
  try {
    mountSmallDisk(1).remove()
    return false
  } catch (error) {
    return `a small disk cannot be mounted here: ${error instanceof Error ? error.message.trim() : error}`
  }
}

/** Writes a file until not one block is left. Removing it makes room again. */
export function fillUp(file: string): void {
  const filler = openSync(file, 'w')
  for (const bytes of [1024 * 1024, 4096]) {
    const chunk = Buffer.alloc(bytes)
    while (written(filler, chunk));
  }
  closeSync(filler)
}

function written(file: number, chunk: Buffer): boolean {
  try {
    return writeSync(file, chunk) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
