import { mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { EMBEDDED_USER } from './address.ts'
import type { Binaries } from './binaries.ts'
import { giveFolder, type RunAs, run, whyFailed } from './run.ts'

/** The major version whose files the installed binaries can read; a test compares it with `postgres --version`. */
export const MAJOR_VERSION = '18'

/** 1 s measured; a slow disk may need many times as long for 40 MB. */
const INITDB_MS = 180_000
const UNFINISHED = 'postgres.tmp'

/**
 * Creates the database files in `<dataDir>/postgres` unless they exist, and returns that folder.
 * @throws StartError if initdb fails, or if the files are of another major version
 */
export async function prepareCluster(dataDir: string, binaries: Binaries, runAs: RunAs): Promise<string> {
  const cluster = join(dataDir, 'postgres')
  await removeUnfinished(dataDir)
  const version = await readVersion(cluster)
  if (version === null) await makeCluster(dataDir, cluster, binaries.initdb, runAs)
  else if (version !== MAJOR_VERSION) throw wrongVersion(cluster, version)
  await giveFolder(cluster, runAs.owner)
  return cluster
}

/** Left by an interrupted first start: never renamed, so never used. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function readVersion(cluster: string): Promise<string | null> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new StartError(`The database in ${cluster} cannot be read (${code}): change its owner to the user that runs Pixelmill.`)
  }
}

/** One call for the whole file system instead of one for each of a thousand files: 1 s less, also while it has much else to write. */
const SYNC = process.platform === 'linux' ? ['--sync-method=syncfs'] : []

/** Built in a folder of another name and renamed at the end, so that `<dataDir>/postgres` is always complete. */
async function makeCluster(dataDir: string, cluster: string, initdb: string, runAs: RunAs): Promise<void> {
  const unfinishedText = await mkdtemp(join(dataDir, `${UNFINISHED}-`))
  await giveFolder(unfinishedText, runAs.owner)
  const options = ['-D', unfinishedText, '-U', EMBEDDED_USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions']
  const [first = initdb, ...rest] = [...runAs.prefix, initdb]
  const { code, output } = await run([first, ...rest, ...options, ...SYNC], { ...runAs.ids, timeoutMs: INITDB_MS })
  if (code !== 0)
    throw new StartError(`PostgreSQL could not make its files in ${dataDir}: ${whyFailed(output)}; ${advice(output)}.`)
  await rename(unfinishedText, cluster).catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartError(`${cluster} is in the way of a new database (${code}): it is not one; move it elsewhere.`)
  })
  await syncFolder(dataDir)
}

/** Advice for operators: PostgreSQL does not name the limit on open files. */
const advice = (output: string): string =>
  /insufficient file descriptors|Too many open files/i.test(output)
    ? 'raise the limit on open files (`ulimit -n`, or LimitNOFILE= of systemd)'
    : 'fix that or set DATABASE_URL'

/** The rename must survive a power loss before the first commit is acknowledged. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

function wrongVersion(cluster: string, version: string): StartError {
  const advice = 'start the version of Pixelmill that made it, and move out of it as docs/backup.md says'
  return new StartError(`${cluster} was made by PostgreSQL ${version}, and this Pixelmill includes ${MAJOR_VERSION}: ${advice}.`)
}
