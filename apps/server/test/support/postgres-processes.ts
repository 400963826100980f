import { join } from 'node:path'
import { readPostmasterFile } from '../../src/database/embedded/postmaster.ts'
import { childrenOf } from './server.ts'

/** The postmaster of the PostgreSQL in a data folder. */
export async function postmasterIn(dataDir: string): Promise<number> {
  const note = await readPostmasterFile(join(dataDir, 'postgres'))
  if (!note?.ready) throw new Error(`no PostgreSQL is ready in ${dataDir}`)
  return note.pid
}

/** Its backends: the processes that serve a connection. */
export async function backendsIn(dataDir: string): Promise<readonly number[]> {
  const children = await childrenOf(await postmasterIn(dataDir))
  return children.filter(({ command }) => command.startsWith('postgres: pixelmill ')).map(({ pid }) => pid)
}
