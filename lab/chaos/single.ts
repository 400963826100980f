import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApiKey } from 'pixelmill-server/accounts/api-keys'
import { openDatabase } from 'pixelmill-server/database/database'
import { socketFolder } from 'pixelmill-server/database/embedded/address'
import { readPostmasterFile } from 'pixelmill-server/database/embedded/postmaster'
import { freePort } from './free-port.ts'
import { keepPixelmill } from './kept-process.ts'
import { isReady, type Service, TRIED } from './service.ts'
import { until } from './until.ts'
import { backendsOf, killOne, one, renderersOf } from './victims.ts'

/** A single server plus a second process for batches: one server with everything in it, and one worker. */
export async function startSingle(): Promise<Service> {
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-chaos-'))
  const key = makeApiKey()
  const dataDir = join(dir, 'data')
  const common = { ...TRIED, DATA_DIR: dataDir, ADMIN_API_KEY: key }
  // A port that is free now: processes restarted after a kill must use the same one.
  const port = await freePort()
  const server = keepPixelmill({ ...common, PORT: String(port) }, join(dir, 'server.log'))
  const url = `http://127.0.0.1:${port}`
  await until('the server is ready', () => isReady(url))
  const address = `postgres:///postgres?user=pixelmill&host=${encodeURIComponent(socketFolder(dataDir))}`
  const worker = keepPixelmill({ ...common, ROLE: 'worker', DATABASE_URL: address }, join(dir, 'worker.log'))
  await until('the worker works', async () => worker.output().includes('works on batches'))
  const database = await openDatabase({ socketDir: socketFolder(dataDir) }, () => {})
  const postmaster = () => postmasterIn(dataDir)
  return {
    dir,
    key,
    database,
    victims: {
      server: killOne(one(server)),
      worker: killOne(one(worker)),
      "the server's renderer": killOne(renderersOf([server])),
      "the worker's renderer": killOne(renderersOf([worker])),
      PostgreSQL: killOne(async () => [await postmaster()]),
      'a PostgreSQL backend': killOne(backendsOf(postmaster)),
    },
    url: () => url,
    leftFiles: () => leftIn(join(dataDir, 'blobs')),
    async stop(keepFiles) {
      await worker.stop()
      await database.close()
      await server.stop()
      if (!keepFiles) await rm(dir, { recursive: true, force: true })
    },
  }
}

async function postmasterIn(dataDir: string): Promise<number> {
  const note = await readPostmasterFile(join(dataDir, 'postgres'))
  if (!note) throw new Error('PostgreSQL says nothing of itself')
  return note.pid
}

/** The key that marks the store as this installation's. */
const MARK = 'installation'
const DAY_MS = 86_400_000

/** Makes files of processes that died while writing a day old, so that the hourly sweep takes them. */
async function leftIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const left = files.filter((file) => file !== join(root, MARK))
  const yesterday = new Date(Date.now() - DAY_MS)
  for (const file of left) await utimes(file, yesterday, yesterday).catch(() => {})
  return left
}
