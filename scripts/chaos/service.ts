import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApiKey } from '../../src/accounts/api-keys.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { socketFolder } from '../../src/database/embedded/socket-folder.ts'
import { freePort } from './free-port.ts'
import { type KeptProcess, keepProcess } from './kept-process.ts'
import { until } from './until.ts'

/** The service as a user has it who added a second process for batches: one server with all in it, and one worker. */
export interface Service {
  readonly dir: string
  readonly url: string
  /** Of the administrator. */
  readonly key: string
  readonly server: KeptProcess
  readonly worker: KeptProcess
  /** From outside; its statements fail while PostgreSQL is away. */
  readonly database: Database
  stop(keepFiles: boolean): Promise<void>
}

export async function startService(): Promise<Service> {
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-chaos-'))
  const key = makeApiKey()
  const dataDir = join(dir, 'data')
  const common = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    ADMIN_API_KEY: key,
    BURST_PER_MINUTE: '0',
    RENDERERS: '1',
    // So that on a machine that has other things to do a round does not take minutes.
    BATCH_NICE: '0',
    // Of the receiver of webhooks, which is on this machine.
    EGRESS_ALLOW: '127.0.0.1',
  }
  // A port that is free now: those that come after a kill have to be found at the same one.
  const port = await freePort()
  const server = keepProcess({ ...common, PORT: String(port) }, join(dir, 'server.log'))
  const url = `http://127.0.0.1:${port}`
  await until('the server is ready', () => isReady(url))
  const address = `postgres:///postgres?user=pixelmill&host=${encodeURIComponent(socketFolder(dataDir))}`
  const worker = keepProcess({ ...common, ROLE: 'worker', DATABASE_URL: address }, join(dir, 'worker.log'))
  await until('the worker works', async () => worker.output().includes('works on batches'))
  const database = await openDatabase({ socketDir: socketFolder(dataDir) }, () => {})
  return {
    dir,
    url,
    key,
    server,
    worker,
    database,
    async stop(keepFiles) {
      await worker.stop()
      await database.close()
      await server.stop()
      if (!keepFiles) await rm(dir, { recursive: true, force: true })
    },
  }
}

const isReady = (url: string): Promise<boolean> => fetch(`${url}/readyz`).then(({ ok }) => ok)
