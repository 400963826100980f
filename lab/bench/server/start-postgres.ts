import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from 'pixelmill-server/database/embedded/binaries'
import { sleep } from '../measure/sleep.ts'
import { progress } from '../report/progress.ts'
import { freePort } from './free-port.ts'

export interface Postgres {
  readonly pid: number
  /** The value of DATABASE_URL. */
  readonly url: string
  stop(): Promise<void>
}

/** Debian and Ubuntu install PostgreSQL's server programs there; the newest version counts. */
const programs = () =>
  globSync('/usr/lib/postgresql/*/bin/')
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .toSorted((a, b) => Number(/\d+/.exec(b)?.[0]) - Number(/\d+/.exec(a)?.[0]))[0]

/** PostgreSQL refuses to run as root. */
const owner = process.geteuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

const asOwner = (command: readonly string[]): [string, string[]] => {
  const [program = '', ...words] = [...owner, ...command]
  return [program, words]
}

const versionOf = (program: string) => /\d+(\.\d+)?/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0]

/** The versions of the system's PostgreSQL, and of the npm package's. */
export async function postgresVersions(): Promise<{
  readonly system: string | undefined
  readonly embedded: string | undefined
}> {
  const bin = programs()
  const { postgres } = await findBinaries()
  return { system: bin && versionOf(join(bin, 'postgres')), embedded: versionOf(postgres) }
}

const TRIES = 300

async function untilReady(isReady: () => boolean, hasExited: () => boolean, log: string): Promise<void> {
  for (let tries = 0; tries < TRIES && !hasExited(); tries++) {
    if (isReady()) return
    await sleep(100)
  }
  throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8').slice(-1500)}`)
}

function succeeds(program: string, words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false // Its exit status says so, and it is polled again.
  }
}

async function start(bin: string, folder: string): Promise<Postgres> {
  const data = join(folder, 'db')
  const log = join(folder, 'log')
  const secret = join(folder, 'password')
  const port = await freePort()
  const password = randomUUID()
  writeFileSync(secret, password)
  // Temporary folders are private to their user, but PostgreSQL's user has to enter this one.
  chmodSync(folder, 0o755)
  if (owner.length > 0) execFileSync('chown', ['-R', 'postgres:', folder])
  execFileSync(...asOwner([join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${secret}`]), {
    cwd: folder,
    stdio: 'ignore',
  })
  // The server has the defaults of its package, including durable commits.
  const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`]
  const server = spawn('sh', ['-c', 'exec "$@" >"$0" 2>&1', log, ...owner, join(bin, 'postgres'), ...options], {
    cwd: folder,
    stdio: 'ignore',
  })
  const killWith = () => server.kill('SIGQUIT')
  process.on('exit', killWith)
  const ready = () => succeeds(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)])
  await untilReady(ready, () => server.exitCode !== null, log)
  return {
    pid: server.pid ?? 0,
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      const exit = new Promise<void>((resolve) => server.once('exit', () => resolve()))
      server.kill('SIGINT')
      await exit
      process.off('exit', killWith)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The system's own PostgreSQL on an empty folder; undefined where none is installed. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const bin = programs()
  if (bin) return start(bin, mkdtempSync(join(tmpdir(), 'pixelmill-bench-postgres-')))
  progress('without a PostgreSQL server: apt-get install postgresql brings one')
  return undefined
}
