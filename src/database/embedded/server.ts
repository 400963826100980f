import { chooseUser } from './as-user.ts'
import { findBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { keepRunning, type Outages } from './keep-running.ts'
import { launch } from './launch.ts'
import { makeSocketFolder } from './socket-folder.ts'

export interface EmbeddedOptions {
  /** Absolute, and held by this process (`holdDataFolder`). */
  readonly dataDir: string
  /** Gets each line that PostgreSQL writes. */
  readonly onLog: (line: string) => void
  readonly outages?: Outages
}

export interface Embedded {
  readonly socketDir: string
  /** Ends PostgreSQL after the statements in hand are cancelled; at most 30 s. May be called twice. */
  stop(): Promise<void>
}

const UNHEARD: Outages = { onEnd() {}, onBack() {} }

/**
 * Starts a private PostgreSQL whose files live in `dataDir` and which listens on a unix socket only. Should it end, it is
 * started again at the same place, until `stop`.
 * @throws StartError when it cannot run here, with the last line it wrote.
 */
export async function startEmbedded({ dataDir, onLog, outages }: EmbeddedOptions): Promise<Embedded> {
  const { postgres, initdb } = await findBinaries()
  const runAs = await chooseUser(dataDir, postgres)
  const cluster = await prepareCluster(dataDir, { postgres, initdb }, runAs)
  const socketDir = await makeSocketFolder(dataDir, runAs.owner)
  const options = { postgres, cluster, socketDir, runAs, onLog }
  const { stop } = keepRunning(await launch(options), (signal) => launch(options, signal), outages ?? UNHEARD)
  return { socketDir, stop }
}
