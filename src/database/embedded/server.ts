import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '../../contract/start-error.ts'
import { socketAnswers } from '../socket-answers.ts'
import { embeddedAddress, SOCKET_FILE } from './address.ts'
import { chooseUser } from './as-user.ts'
import { findBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { clearOrphan } from './orphan.ts'
import { type Postmaster, spawnPostmaster } from './postmaster.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { makeSocketFolder } from './socket-folder.ts'
import { waitUntil } from './wait-until.ts'

export interface EmbeddedOptions {
  /** Absolute, and held by this process (`holdDataFolder`). */
  readonly dataDir: string
  /** Gets each line that PostgreSQL writes. */
  readonly onLog: (line: string) => void
}

export interface Embedded {
  readonly socketDir: string
  /** Ends PostgreSQL after the statements in hand are cancelled; at most 30 s. May be called twice. */
  stop(): Promise<void>
  /** Resolves with the reason when PostgreSQL ends though nobody called `stop`; else never. */
  readonly exited: Promise<string>
}

/** Recovery after a crash replays at most `max_wal_size` of log: seconds, but not on every disk. */
const READY_MS = 60_000

/**
 * Starts a private PostgreSQL whose files live in `dataDir` and which listens on a unix socket only.
 * @throws StartError when it cannot run here, with the last line it wrote.
 */
export async function startEmbedded({ dataDir, onLog }: EmbeddedOptions): Promise<Embedded> {
  const binaries = await findBinaries()
  const runAs = await chooseUser(dataDir, binaries.postgres)
  const cluster = await prepareCluster(dataDir, binaries, runAs)
  const socketDir = await makeSocketFolder(dataDir, runAs.owner)
  await clearOrphan(cluster)
  await refuseSecondMachine(socketDir)
  const postmaster = spawnPostmaster({ postgres: binaries.postgres, cluster, socketDir, runAs, onLog })
  await waitReady(postmaster, cluster, socketDir)
  return supervise(postmaster, socketDir)
}

function supervise(postmaster: Postmaster, socketDir: string): Embedded {
  const exited = Promise.withResolvers<string>()
  let stopping = false
  postmaster.gone.then((reason) => stopping || exited.resolve(`PostgreSQL ended: ${reason}`))
  const stop = () => {
    stopping = true
    return postmaster.stop()
  }
  return { socketDir, stop, exited: exited.promise }
}

/** Containers on one volume do not see each other's processes or abstract sockets, but they do share a socket's file. */
async function refuseSecondMachine(socketDir: string): Promise<void> {
  if (!(await socketAnswers(join(socketDir, SOCKET_FILE)))) return
  throw new StartError(`Another PostgreSQL answers in ${socketDir}: stop the other Pixelmill on this data folder first.`)
}

async function waitReady(postmaster: Postmaster, cluster: string, socketDir: string): Promise<void> {
  // Its own note is asked first: each connection it has to refuse while it recovers is a line in its log.
  const isReady = async () => {
    const note = await readPostmasterFile(cluster)
    return postmaster.isGone() || (note?.pid === postmaster.pid && note?.ready === true)
  }
  const inTime = await waitUntil(isReady, { timeoutMs: READY_MS, everyMs: 20 })
  const failure =
    inTime && !postmaster.isGone() ? await selectOne(socketDir) : inTime ? 'it ended' : `not ready in ${READY_MS / 1000} s`
  if (failure === null) return
  await postmaster.stop()
  throw new StartError(`The embedded PostgreSQL did not start (${failure}): ${await postmaster.gone}`)
}

/** Returns what went wrong, or null. */
async function selectOne(socketDir: string): Promise<string | null> {
  const client = new pg.Client({ ...embeddedAddress(socketDir), connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    await client.query('select 1')
    await client.end()
    return null
  } catch (error) {
    return String(error)
  }
}
