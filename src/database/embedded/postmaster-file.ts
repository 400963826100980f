import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface PostmasterFile {
  readonly pid: number
  /** PostgreSQL accepts connections. */
  readonly ready: boolean
}

/** Line 8 of the file is the state, as pg_ctl reads it (PostgreSQL's miscadmin.h, LOCK_FILE_LINE_PM_STATUS). */
const STATE_LINE = 8

export function postmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/** What a running or killed PostgreSQL says of itself in its folder; null when it says nothing (yet). */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const lines = (await readOrEmpty(postmasterPath(cluster))).split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return { pid, ready: lines[STATE_LINE - 1]?.trim() === 'ready' }
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
