import { readlink, realpath, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { StartError } from '../../contract/start-error.ts'
import { postmasterPath, readPostmasterFile } from './postmaster-file.ts'
import { run } from './run.ts'
import { waitUntil } from './wait-until.ts'

interface Step {
  readonly signal: NodeJS.Signals | null
  readonly waitMs: number
}

/** First it may end by itself (its server's death told it to), then it is asked, then it is told. */
const STEPS: readonly Step[] = [
  { signal: null, waitMs: 10_000 },
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
]

/**
 * Clears the way for a start in `cluster`. We hold the data folder, so a PostgreSQL at work in it is the orphan of a killed
 * server. Any other process with the noted number has only inherited it, as happens in containers, where numbers are low.
 * @throws StartError when the orphan will not end.
 */
export async function clearOrphan(cluster: string, steps: readonly Step[] = STEPS): Promise<void> {
  const pid = (await readPostmasterFile(cluster))?.pid
  // The note of a process that is gone is left to PostgreSQL, which checks for surviving children before it starts.
  if (pid === undefined || !isAlive(pid)) return
  if (!(await endOrphan(pid, cluster, steps))) {
    throw new StartError(`An old PostgreSQL (process ${pid}) is still at work in ${cluster} and does not end: kill it.`)
  }
  // PostgreSQL takes any living process of that number for its rival.
  if (isAlive(pid)) await rm(postmasterPath(cluster), { force: true })
}

async function endOrphan(pid: number, cluster: string, steps: readonly Step[]): Promise<boolean> {
  const isGone = async () => !(await isPostgresIn(pid, cluster))
  for (const { signal, waitMs } of steps) {
    if (await isGone()) return true
    if (signal) process.kill(pid, signal)
    if (await waitUntil(isGone, { timeoutMs: waitMs, everyMs: 50 })) return true
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** PostgreSQL works in its data folder, and nowhere else. */
async function isPostgresIn(pid: number, cluster: string): Promise<boolean> {
  const folder = await realpath(cluster)
  if (process.platform !== 'linux') return (await commandLine(pid)).includes(`postgres -D ${folder} `)
  const [program, cwd] = await Promise.all([procLink(pid, 'exe'), procLink(pid, 'cwd')])
  // The kernel adds " (deleted)" to a program that npm has replaced meanwhile.
  return basename(program.replace(/ \(deleted\)$/, '')) === 'postgres' && cwd === folder
}

function procLink(pid: number, name: 'exe' | 'cwd'): Promise<string> {
  // Gone, a zombie, or another user's process: none of them is our PostgreSQL.
  return readlink(`/proc/${pid}/${name}`).catch(() => '')
}

async function commandLine(pid: number): Promise<string> {
  const { code, output } = await run(['ps', '-ww', '-o', 'command=', '-p', String(pid)], { timeoutMs: 5_000 })
  return code === 0 ? output : ''
}
