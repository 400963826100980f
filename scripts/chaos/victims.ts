import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPostmasterFile } from '../../src/database/embedded/postmaster-file.ts'
import type { Service } from './service.ts'

type Find = (service: Service) => Promise<readonly number[]>

/** What is killed: of each, the processes that are of its kind at this moment. */
export const victims = {
  server: async ({ server }) => [server.pid()],
  worker: async ({ worker }) => [worker.pid()],
  "the server's renderer": ({ server }) => childrenOf(server.pid(), RENDERER),
  "the worker's renderer": ({ worker }) => childrenOf(worker.pid(), RENDERER),
  PostgreSQL: async (service) => [await postmasterOf(service)],
  'a PostgreSQL backend': async (service) => childrenOf(await postmasterOf(service), /^postgres: pixelmill /),
} as const satisfies Record<string, Find>

export type Victim = keyof typeof victims

const RENDERER = /renderer\.ts/

async function postmasterOf({ dir }: Service): Promise<number> {
  const note = await readPostmasterFile(join(dir, 'data', 'postgres'))
  if (!note) throw new Error('PostgreSQL says nothing of itself')
  return note.pid
}

/** Processes that another started, whatever stands between them, whose command is like this. */
async function childrenOf(pid: number, like: RegExp): Promise<readonly number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).map(Number)
  const found = await Promise.all(
    children.map(async (child) => (like.test(await commandOf(child)) ? [child] : childrenOf(child, like).catch(() => []))),
  )
  return found.flat()
}

const commandOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
