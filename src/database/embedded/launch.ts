import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '../../contract/start-error.ts'
import { socketAnswers } from '../socket-answers.ts'
import { embeddedAddress, SOCKET_FILE } from './address.ts'
import { clearOrphan } from './orphan.ts'
import { type Postmaster, type PostmasterOptions, spawnPostmaster } from './postmaster.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { waitUntil } from './wait-until.ts'

/** Recovery after a crash replays at most `max_wal_size` of log: seconds, but not on every disk. */
const READY_MS = 60_000

/**
 * Starts PostgreSQL in a cluster that is there, and resolves when it answers.
 * @throws StartError when it does not within a minute, or `signal` is aborted before: then it is ended again
 */
export async function launch(options: PostmasterOptions, signal?: AbortSignal): Promise<Postmaster> {
  const { cluster, socketDir } = options
  await clearOrphan(cluster)
  await refuseSecondMachine(socketDir)
  const postmaster = spawnPostmaster(options)
  await waitReady(postmaster, cluster, socketDir, signal)
  return postmaster
}

/** Containers on one volume do not see each other's processes or abstract sockets, but they do share a socket's file. */
async function refuseSecondMachine(socketDir: string): Promise<void> {
  if (!(await socketAnswers(join(socketDir, SOCKET_FILE)))) return
  throw new StartError(`Another PostgreSQL answers in ${socketDir}: stop the other Pixelmill on this data folder first.`)
}

async function waitReady(postmaster: Postmaster, cluster: string, socketDir: string, signal?: AbortSignal): Promise<void> {
  const settled = () => postmaster.isGone() || signal?.aborted === true
  // Its own note is asked first: each connection it has to refuse while it recovers is a line in its log.
  const isReady = async () => {
    const note = await readPostmasterFile(cluster)
    return settled() || (note?.pid === postmaster.pid && note?.ready === true)
  }
  const inTime = await waitUntil(isReady, { timeoutMs: READY_MS, everyMs: 20 })
  const failure = inTime && !settled() ? await selectOne(socketDir) : inTime ? 'it ended' : `not ready in ${READY_MS / 1000} s`
  if (failure === null) return
  await postmaster.stop()
  throw new StartError(`The embedded PostgreSQL did not start (${failure}): ${await postmaster.gone}`)
}

/** Returns what went wrong, or null. */
async function selectOne(socketDir: string): Promise<string | null> {
  const client = new pg.Client({ ...embeddedAddress(socketDir), connectionTimeoutMillis: 5_000 })
  // Cut off between two statements it would otherwise end the process.
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
