import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { ROOT } from '@pixelmill/codecs/installation'
import { VERSION } from '@pixelmill/engine/version'
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Every feature's folder has the functions that work on its tables. */
const SOURCES = join(ROOT, 'apps/server/src')
const FUNCTIONS = '*/sql/*.sql'

interface Applied {
  readonly hash: string
  readonly release: string
}

/**
 * Creates the functions of each feature's `sql/` in the caller's transaction, if those in the database differ: each file replaces the
 * function of its name. A function that was removed, or whose parameters changed, is dropped by the migration that comes with the
 * change. Returns whether anything was changed.
 * @throws StartError if a newer release created the existing functions
 */
export async function applyFunctions(db: Kysely<Schema>): Promise<boolean> {
  const text = await readFunctions()
  const hash = createHash('sha256').update(text).digest('hex')
  const { rows } = await sql<Applied>`select hash, release from applied_functions`.execute(db)
  const [appliedFunctions] = rows
  if (appliedFunctions?.hash === hash) return false
  if (appliedFunctions && compareReleases(appliedFunctions.release, VERSION) > 0) throw madeByNewer(appliedFunctions.release)
  // A function may call one that is created after it.
  await sql`set local check_function_bodies = off`.execute(db)
  await sql.raw(text).execute(db)
  await sql`insert into applied_functions (hash, release) values (${hash}, ${VERSION})
    on conflict (single) do update set hash = excluded.hash, release = excluded.release`.execute(db)
  return true
}

async function readFunctions(): Promise<string> {
  const files = (await Array.fromAsync(glob(FUNCTIONS, { cwd: SOURCES }))).sort(byName)
  return (await Promise.all(files.map((file) => readFile(join(SOURCES, file), 'utf8')))).join('\n')
}

/** By the function's name and not by its folder, so that the text stays the same when a function moves to another feature. */
const byName = (one: string, other: string): number => (basename(one) < basename(other) ? -1 : 1)

const madeByNewer = (release: string): StartError =>
  new StartError(
    `The database was made by a newer version of Pixelmill (it has the functions of ${release}): start that version, or restore a backup from before the upgrade.`,
  )

/**
 * Orders releases as Semantic Versioning does (11): below 0 if the first is older. A release candidate is older than its release, and what
 * its parts are called is compared with numbers as numbers.
 */
export function compareReleases(one: string, other: string): number {
  const [core, candidate] = split(one)
  const [otherCore, otherCandidate] = split(other)
  const byCore = natural(core, otherCore)
  if (byCore !== 0 || candidate === otherCandidate) return byCore
  if (candidate === '') return 1
  return otherCandidate === '' ? -1 : natural(candidate, otherCandidate)
}

function split(release: string): readonly [core: string, candidate: string] {
  const dash = release.indexOf('-')
  return dash < 0 ? [release, ''] : [release.slice(0, dash), release.slice(dash + 1)]
}

const natural = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })
