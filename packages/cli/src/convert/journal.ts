import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { RunFailure } from '../failure.ts'
import { makeFolder } from '../files/make-folder.ts'
import type { SourceVersion } from '../files/source.ts'

/** A result that was written, and of what. */
export interface JournalEntry {
  /** Path of the result below the target. */
  readonly result: string
  readonly resultVersion: SourceVersion
  /** Path of the source below the place that was named. */
  readonly source: string
  readonly sourceVersion: SourceVersion
  /** SHA-256 of the source's content. */
  readonly sha256: Buffer
  /** SHA-256 of a result that has replaced its source, so that it is known again after it was touched. */
  readonly resultSha256?: Buffer | undefined
  /** Version of what is done. */
  readonly recipe: string
  /** Tells the source apart from others of the same path; undefined in entries of releases that did not note it. */
  readonly origin?: string | undefined
  /** How many results the source has; undefined as above: one for each output. */
  readonly results?: number | undefined
  /** Which of them it is, from 0; undefined as above. */
  readonly nth?: number | undefined
  /** In pixels; undefined as above. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** What earlier runs have done, so that a run does only what has changed. */
export interface Journal extends Disposable {
  /** The results of a source by a recipe. */
  resultsOf(source: string, recipe: string): readonly JournalEntry[]
  /** The results of any source with this content by a recipe. */
  resultsOfContent(sha256: Buffer, recipe: string): readonly JournalEntry[]
  /** The entry of a result, by whatever recipe. */
  entryOf(result: string): JournalEntry | undefined
  /** @throws RunFailure if the disk is full or fails */
  write(entry: JournalEntry): void
  /** Says that only these are the source's results by a recipe: others of an earlier version of it are left over. @throws RunFailure */
  settle(source: Pick<JournalEntry, 'source' | 'origin' | 'recipe'>, results: readonly string[]): void
  /** Results that are left over, and all others whose source is known; while they are read nothing may be changed. */
  leftOver(): Iterable<JournalEntry & { readonly isSuperseded: boolean }>
  /** The result is gone. @throws RunFailure */
  forget(result: string): void
  /** The source was touched, but its content is the same. @throws RunFailure */
  touch(source: string, version: SourceVersion, sha256: Buffer): void
}

const SCHEMA = `
  create table if not exists result (
    path text primary key, bytes integer not null, tag text not null,
    source text not null, source_bytes integer not null, source_tag text not null, sha256 blob not null, recipe text not null,
    result_sha256 blob,
    origin text, results integer, nth integer, width integer, height integer, superseded integer not null default 0
  ) without rowid, strict;
  create index if not exists result_source on result (source, recipe);
  create index if not exists result_content on result (sha256);
  pragma user_version = 2`

/** Incremented when the schema changes: a journal of a newer version is not read. */
const VERSION = 2

/** What a journal of an older version lacks, by that version. */
const CHANGES: Readonly<Record<number, string>> = {
  1: `
  alter table result add column origin text;
  alter table result add column results integer;
  alter table result add column nth integer;
  alter table result add column width integer;
  alter table result add column height integer;
  alter table result add column superseded integer not null default 0`,
}

/**
 * Opens the journal of a target; one process at a time may have it. SQLite's log survives a kill after each entry; after a loss of
 * power the last entries may be missing, and their images are converted again.
 * @param path undefined: kept in memory, for a run that writes nothing
 * @throws RunFailure if another run has it, or it cannot be written
 */
export function openJournal(path: string | undefined, place: string): Journal {
  const database = open(path, place)
  const select = `select path, bytes, tag, source, source_bytes, source_tag, sha256, recipe, result_sha256, origin, results, nth, width, height, superseded from result`
  const bySource = database.prepare(`${select} where source = ? and recipe = ? and superseded = 0 order by nth`)
  const byContent = database.prepare(`${select} where sha256 = ? and recipe = ? and superseded = 0 order by nth`)
  const byPath = database.prepare(`${select} where path = ?`)
  const insert = database.prepare('insert or replace into result values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)')
  const supersede = database.prepare(
    'update result set superseded = 1 where source = ? and origin = ? and recipe = ? and path not in (select value from json_each(?))',
  )
  const withOrigin = database.prepare(`${select} where origin is not null order by path`)
  const remove = database.prepare('delete from result where path = ?')
  const update = database.prepare('update result set source_bytes = ?, source_tag = ? where source = ? and sha256 = ?')
  /** @throws RunFailure */
  function change(statement: StatementSync, ...values: readonly SQLInputValue[]): void {
    try {
      statement.run(...values)
    } catch (error) {
      throw new RunFailure(reasonOf(error, place), { cause: error })
    }
  }
  return {
    resultsOf: (source, recipe) => bySource.all(source, recipe).map(entryOf),
    resultsOfContent: (sha256, recipe) => byContent.all(sha256, recipe).map(entryOf),
    entryOf(result) {
      const row = byPath.get(result)
      return row && entryOf(row)
    },
    write({ result, resultVersion: after, source, sourceVersion: before, sha256, recipe, resultSha256 = null, ...more }) {
      const { origin = null, results = null, nth = null, width = null, height = null } = more
      const versions = [after.bytes, after.tag, source, before.bytes, before.tag] as const
      change(insert, result, ...versions, sha256, recipe, resultSha256, origin, results, nth, width, height)
    },
    settle: ({ source, origin = '', recipe }, results) => change(supersede, source, origin, recipe, JSON.stringify(results)),
    *leftOver() {
      for (const row of withOrigin.iterate()) yield { ...entryOf(row), isSuperseded: (row as unknown as Row).superseded === 1 }
    },
    forget: (result) => change(remove, result),
    touch: (source, { bytes, tag }, sha256) => change(update, bytes, tag, source, sha256),
    [Symbol.dispose]: () => database.close(),
  }
}

function open(path: string | undefined, place: string): DatabaseSync {
  try {
    if (path !== undefined) makeFolder(dirname(path))
    const database = new DatabaseSync(path ?? ':memory:')
    // The lock is the kernel's: it ends with the process, however that ends.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal')
    const { user_version: version } = database.prepare('pragma user_version').get() as { readonly user_version: number }
    if (version > VERSION) throw new RunFailure(`The journal of ${place} is of a newer release: use that.`)
    for (let older = version; older > 0 && older < VERSION; older++) database.exec(CHANGES[older] ?? '')
    database.exec(SCHEMA)
    return database
  } catch (error) {
    if (error instanceof RunFailure) throw error
    throw new RunFailure(reasonOf(error, place), { cause: error })
  }
}

const BUSY = 5
const NOT_A_DATABASE = 26
const CORRUPT = 11
const FULL = 13

function reasonOf(error: unknown, place: string): string {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  if (errcode === BUSY) return `Another run is converting into ${place}: wait for its end, or name another target.`
  if (errcode === NOT_A_DATABASE || errcode === CORRUPT)
    return `The journal of ${place} is damaged: remove the folder .pixelmill there. Results are then made again, with --overwrite.`
  if (errcode === FULL) return `No space is left in ${place} (SQLITE_FULL).`
  return `${place} cannot be written: ${message}.`
}

/** The statements name these columns, whose types the schema enforces. */
interface Row {
  readonly path: string
  readonly bytes: number
  readonly tag: string
  readonly source: string
  readonly source_bytes: number
  readonly source_tag: string
  readonly sha256: Uint8Array
  readonly recipe: string
  readonly result_sha256: Uint8Array | null
  readonly origin: string | null
  readonly results: number | null
  readonly nth: number | null
  readonly width: number | null
  readonly height: number | null
  readonly superseded: number
}

function entryOf(row: object): JournalEntry {
  const { path, bytes, tag, source, source_bytes, source_tag, sha256, recipe, result_sha256: after, ...more } = row as Row
  return {
    result: path,
    resultVersion: { bytes, tag },
    source,
    sourceVersion: { bytes: source_bytes, tag: source_tag },
    sha256: Buffer.from(sha256),
    recipe,
    resultSha256: after ? Buffer.from(after) : undefined,
    origin: more.origin ?? undefined,
    results: more.results ?? undefined,
    nth: more.nth ?? undefined,
    width: more.width ?? undefined,
    height: more.height ?? undefined,
  }
}
