import { readlink, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import pg from 'pg'
import { socketAnswers } from '../single-holder.ts'
import { embeddedAddress, SOCKET_FILE } from './address.ts'
import { type Postmaster, type PostmasterOptions, postmasterPath, readPostmasterFile, spawnPostmaster } from './postmaster.ts'
import { run, waitUntil } from './run.ts'

/** Crash recovery replays at most `max_wal_size` of log: seconds, but not on every disk. */
const READY_MS = 60_000

/**
 * Starts PostgreSQL on an existing cluster, and resolves when it accepts connections.
 * @throws StartError if it does not within a minute, or if `signal` aborts first: then it is stopped again
 */
export async function launch(options: PostmasterOptions, signal?: AbortSignal): Promise<Postmaster> {
  const { cluster, socketDir } = options
  await clearOrphan(cluster)
  await refuseSecondMachine(socketDir)
  const postmaster = spawnPostmaster(options)
  await waitReady(postmaster, cluster, socketDir, signal)
  return postmaster
}

/** Containers on one volume do not see each other's processes or abstract sockets, but they share a socket's file. */
async function refuseSecondMachine(socketDir: string): Promise<void> {
  if (!(await socketAnswers(join(socketDir, SOCKET_FILE)))) return
  throw new StartError(`Another PostgreSQL answers in ${socketDir}: stop the other Pixelmill on this data folder first.`)
}

async function waitReady(postmaster: Postmaster, cluster: string, socketDir: string, signal?: AbortSignal): Promise<void> {
  const isSettled = () => postmaster.isGone() || signal?.aborted === true
  // Its status file is checked first: each connection that it refuses during recovery is a line in its log.
  const isReady = async () => {
    const note = await readPostmasterFile(cluster)
    return isSettled() || (note?.pid === postmaster.pid && note?.ready === true)
  }
  const inTime = await waitUntil(isReady, { timeoutMs: READY_MS, everyMs: 20 })
  const failure = inTime && !isSettled() ? await selectOne(socketDir) : inTime ? 'it ended' : `not ready in ${READY_MS / 1000} s`
  if (failure === null) return
  await postmaster.stop()
  throw new StartError(`The embedded PostgreSQL did not start (${failure}): ${await postmaster.gone}`)
}

/** Returns the error, or null. */
async function selectOne(socketDir: string): Promise<string | null> {
  const client = new pg.Client({ ...embeddedAddress(socketDir), connectionTimeoutMillis: 5_000 })
  // A connection that breaks between two statements would otherwise end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    await client.end()
    return null
  } catch (error) {
    return String(error)
  }
}

interface Step {
  readonly signal: NodeJS.Signals | null
  readonly waitMs: number
}

/** Waits for it to end by itself (the death of its server signals it to), then requests a shutdown, then forces it. */
const STEPS: readonly Step[] = [
  { signal: null, waitMs: 10_000 },
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
]

/**
 * Ends a PostgreSQL that is still running in `cluster`. We hold the data folder, so it is the orphan of a killed server. Any
 * other process with the noted id has only reused it, as happens in containers, where ids are low.
 * @throws StartError if the orphan does not end
 */
export async function clearOrphan(cluster: string, steps: readonly Step[] = STEPS): Promise<void> {
  const pid = (await readPostmasterFile(cluster))?.pid
  // The status file of a dead process is left to PostgreSQL, which checks for surviving children before it starts.
  if (pid === undefined || !isAlive(pid)) return
  if (!(await endOrphan(pid, cluster, steps))) {
    throw new StartError(`An old PostgreSQL (process ${pid}) is still running in ${cluster} and does not end: kill it.`)
  }
  // PostgreSQL would treat any living process with that id as a rival server.
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

/** PostgreSQL's working directory is its data folder, unlike that of any other program. */
async function isPostgresIn(pid: number, cluster: string): Promise<boolean> {
  const folder = await realpath(cluster)
  if (process.platform !== 'linux') return (await commandLine(pid)).includes(`postgres -D ${folder} `)
  const [program, cwd] = await Promise.all([procLink(pid, 'exe'), procLink(pid, 'cwd')])
  // The kernel appends " (deleted)" to the path of a program that npm has replaced meanwhile.
  return basename(program.replace(/ \(deleted\)$/, '')) === 'postgres' && cwd === folder
}

function procLink(pid: number, name: 'exe' | 'cwd'): Promise<string> {
  // Ended, a zombie, or another user's process: none of them is our PostgreSQL.
  return readlink(`/proc/${pid}/${name}`).catch(() => '')
}

async function commandLine(pid: number): Promise<string> {
  const { code, output } = await run(['ps', '-ww', '-o', 'command=', '-p', String(pid)], { timeoutMs: 5_000 })
  return code === 0 ? output : ''
}
