import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { type KeptProcess, keepProcess } from './kept-process.ts'
import { until } from './until.ts'

const run = promisify(execFile)

export interface Postgres {
  readonly url: string
  /** The process id of its postmaster. */
  readonly kept: KeptProcess
}

/** A PostgreSQL from Debian's packages, with its defaults, in this folder. `bin` contains its programs. */
export async function startPostgres(bin: string, folder: string): Promise<Postgres> {
  await mkdir(folder)
  const password = randomUUID()
  const passwordFile = join(folder, 'password')
  const data = join(folder, 'data')
  await writeFile(passwordFile, password)
  const asOwner = await notAsRoot(folder)
  const [initdb = '', ...args] = [...asOwner, `${bin}/initdb`, '-D', data, '-U', 'pixelmill', '-A', 'scram-sha-256']
  await run(initdb, [...args, `--pwfile=${passwordFile}`])
  const port = await freePort()
  const listening = ['-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`]
  const postgresProcess = keepProcess([...asOwner, `${bin}/postgres`, '-D', data, ...listening], {}, `${folder}.log`)
  const url = `postgres://pixelmill:${password}@127.0.0.1:${port}/postgres`
  await until('PostgreSQL answers', () => answers(url))
  return { url, kept: postgresProcess }
}

/** PostgreSQL refuses to run as root: then the folder's owner is changed, and this prefix runs it as Debian's postgres user. */
async function notAsRoot(folder: string): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return []
  const [uid = 0, gid = 0] = await Promise.all(
    ['-u', '-g'].map(async (what) => Number((await run('id', [what, 'postgres'])).stdout)),
  )
  for (const path of [folder, join(folder, 'password')]) await chown(path, uid, gid)
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.end()
  return true
}
