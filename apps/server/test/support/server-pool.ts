import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeApiKey, saveApiKey } from '../../src/accounts/api-keys.ts'
import { openServerDatabase } from './accounts.ts'
import type { Server } from './server.ts'
import { startServer } from './server.ts'
import { type Lent, POOL } from './shared-server.ts'

/**
 * Servers that files of tests share, each file in turn: a start takes 2 s of processor time, and there are more than a hundred
 * such files. `node --test --test-global-setup` of this file opens the pool; shared-server.ts asks it.
 */

interface Pooled {
  readonly settings: string
  readonly server: Server
}

/** Idle servers beyond this number are stopped, the longest unused first: a server takes 300 MB. */
const MOST_UNUSED = 4

export async function openServerPool(path: string): Promise<AsyncDisposable> {
  const unusedValues: Pooled[] = []
  const lentValues = new Set<Promise<void>>()

  async function take(settings: string): Promise<Pooled> {
    const at = unusedValues.findLastIndex((each) => each.settings === settings)
    const [foundItem] = at < 0 ? [] : unusedValues.splice(at, 1)
    if (foundItem && (await works(foundItem.server))) return foundItem
    await foundItem?.server[Symbol.asyncDispose]()
    return { settings, server: await startServer(JSON.parse(settings)) }
  }

  async function lend(socket: Socket): Promise<void> {
    const closedValues = once(socket, 'close')
    const [settings] = await once(createInterface(socket), 'line')
    const pooledValue = await take(settings)
    try {
      socket.write(`${JSON.stringify(await toLend(pooledValue.server))}\n`)
      await closedValues
    } finally {
      unusedValues.push(pooledValue)
      if (unusedValues.length > MOST_UNUSED) await unusedValues.shift()?.server[Symbol.asyncDispose]()
    }
  }

  const listener = createServer((socket) => {
    const doneValue = lend(socket)
      .catch((error: unknown) => void socket.end(`${JSON.stringify({ fault: String(error) })}\n`))
      .finally(() => lentValues.delete(doneValue))
    lentValues.add(doneValue)
  }).listen(path)
  await once(listener, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      listener.close()
      await Promise.all(lentValues)
      await Promise.all(unusedValues.map(({ server }) => server[Symbol.asyncDispose]()))
    },
  }
}

/** A test may have stopped it, though none should. */
const works = async ({ url }: Server): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** With the key of an administrator without any calls. */
async function toLend({ url, dir, pid }: Server): Promise<Lent> {
  const key = makeApiKey()
  const database = await openServerDatabase(dir)
  try {
    const email = `${key.slice(3, 20).toLowerCase()}@example.com`
    const values = { email, name: 'Administrator', password_hash: '-', role: 'admin', plan: 'enterprise' } as const
    const { id } = await database.kysely.insertInto('account').values(values).returning('id').executeTakeFirstOrThrow()
    await saveApiKey(database.kysely, id, 'First key', key)
  } finally {
    await database.close()
  }
  return { url, key, dir, pid }
}

const open = new AsyncDisposableStack()

/** Called by node:test before the first file. */
export async function globalSetup(): Promise<void> {
  const folder = open.adopt(await mkdtemp(join(tmpdir(), 'pixelmill-pool-')), (path) => rm(path, { recursive: true }))
  process.env[POOL] = join(folder, 'socket')
  process.setMaxListeners(0)
  open.use(await openServerPool(join(folder, 'socket')))
}

/** Called by node:test after the last. */
export const globalTeardown = (): Promise<void> => open.disposeAsync()
