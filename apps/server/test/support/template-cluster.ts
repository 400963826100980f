import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Database files that tests copy, with our tables or without: initdb and the migrations take 1.3 s of processor time, a copy
 * 0.06 s. apps/server/test/start.test.ts and those in its folder database start in an empty DATA_DIR, as a user does.
 */
export type Template = 'empty' | 'tables'

const root = join(import.meta.dirname, '../../../..')
const KEPT = join(root, 'node_modules/.cache/pixelmill-tests')

const run = promisify(execFile)

/** Copies the files of a stopped PostgreSQL into `<dataDir>/postgres`. */
export async function copyTemplate(template: Template, dataDir: string): Promise<void> {
  await run('cp', ['-a', join(await templates(), template), join(dataDir, 'postgres')])
}

/** The folder of the templates, which are built when their sources have changed. */
export async function templates(): Promise<string> {
  const folder = join(KEPT, nameOfSources())
  if (existsSync(folder)) return folder
  await mkdir(KEPT, { recursive: true })
  const unfinishedText = await mkdtemp(join(KEPT, 'unfinished-'))
  await makeTemplates(unfinishedText)
  // Another process may have been faster: its files are the same.
  await rename(unfinishedText, folder).catch(() => rm(unfinishedText, { recursive: true }))
  const older = (await readdir(KEPT)).filter((name) => !name.startsWith('unfinished-') && join(KEPT, name) !== folder)
  for (const name of older) await rm(join(KEPT, name), { recursive: true, force: true })
  return folder
}

/** Changes with everything that the files are built from. */
function nameOfSources(): string {
  const hash = createHash('sha256').update(`${process.geteuid?.()}`)
  const sources = globSync(
    [
      'migrations/**/*.sql',
      'src/database/*.ts',
      'src/database/embedded/*.ts',
      'src/*/sql/*.sql',
      'test/support/template-cluster.ts',
    ].map((pattern) => `apps/server/${pattern}`),
    {
      cwd: root,
    },
  )
  for (const path of sources.sort()) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

async function makeTemplates(folder: string): Promise<void> {
  // Imported here, so that a test which only copies does not load it.
  const { startEmbedded } = await import('../../src/database/embedded/server.ts')
  const { openDatabase } = await import('../../src/database/database.ts')
  const { migrate } = await import('../../src/database/migrate.ts')
  // In the temporary folder: user nobody, which runs PostgreSQL for root, may not be able to enter the checkout.
  const dataDir = await mkdtemp(join(tmpdir(), 'pixelmill-template-'))
  const cluster = join(dataDir, 'postgres')
  const onCluster = async (use: (socketDir: string) => Promise<unknown>) => {
    const { socketDir, stop } = await startEmbedded({ dataDir, onLog: () => {} })
    await use(socketDir).finally(stop)
  }
  await onCluster(async () => {})
  // fsync is off: tests kill processes, never the operating system.
  await appendFile(join(cluster, 'postgresql.conf'), '\nfsync = off\n')
  await run('cp', ['-a', cluster, join(folder, 'empty')])
  await onCluster(async (socketDir) => {
    const database = await openDatabase({ socketDir }, () => {})
    await migrate(database).finally(() => database.close())
  })
  await run('cp', ['-a', cluster, join(folder, 'tables')])
  await rm(dataDir, { recursive: true })
}
