import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type pg from 'pg'
import { clusterFiles } from './cluster-files.ts'
import { type Copied, copyFile, writeFile } from './copy-file.ts'

/** What PostgreSQL returns at the end of a backup. */
interface Label {
  /** The contents of the file `backup_label`, byte for byte. */
  readonly labelfile: string
  /** The last required segment of the log. */
  readonly last: string
}

const FIRST_SEGMENT = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m

/**
 * Copies a cluster while its PostgreSQL is running, by the low-level API of its manual (25.3.3): a server started on the copy has
 * everything that was committed when the copying ended.
 * @param connection stays open meanwhile, and has no statement timeout: the first statement is a checkpoint
 * @throws StartError
 */
export async function baseBackup(connection: pg.Client, cluster: string, to: string): Promise<readonly Copied[]> {
  await begin(connection)
  const copiedFiles: (Copied | undefined)[] = []
  for (const path of await clusterFiles(cluster, to)) copiedFiles.push(await copyFile(cluster, to, path))
  copiedFiles.push(await writeFile(to, CONTROL, [await readControl(cluster)]))
  const { labelfile, last } = await end(connection)
  const first = FIRST_SEGMENT.exec(labelfile)?.[1]
  if (first === undefined) throw new Error(`PostgreSQL's label of the back-up has no first segment: ${labelfile}`)
  for (const name of await logSegments(join(cluster, 'pg_wal'), first, last))
    copiedFiles.push(await copyFile(cluster, to, join('pg_wal', name)))
  copiedFiles.push(await writeFile(to, 'backup_label', [Buffer.from(labelfile)]))
  return copiedFiles.filter((file) => file !== undefined)
}

const OBJECT_NOT_IN_PREREQUISITE_STATE = '55000'

async function begin(connection: pg.Client): Promise<void> {
  try {
    // The slot ends with the connection, and until then keeps the log that the copy will need.
    await connection.query(`select pg_create_physical_replication_slot('pixelmill_backup_' || pg_backend_pid(), true, true)`)
    await connection.query(`select pg_backup_start('pixelmill', fast => true)`)
  } catch (error) {
    if ((error as { code?: string }).code !== OBJECT_NOT_IN_PREREQUISITE_STATE) throw error
    throw new StartError('The running server is of a version that cannot be backed up at work: start it anew, or stop it.')
  }
}

async function end(connection: pg.Client): Promise<Label> {
  const { rows } = await connection.query<Label>(
    'select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)',
  )
  const [label] = rows
  if (!label) throw new Error('PostgreSQL gave no label of the back-up')
  return label
}

const CONTROL = 'global/pg_control'
const READINGS = 50

/** PostgreSQL writes it at once, but a reader may still see half of it: a content that was read twice is complete. */
async function readControl(cluster: string): Promise<Buffer> {
  const read = () => readFile(join(cluster, CONTROL))
  let before = await read()
  for (let readings = 1; readings < READINGS; readings++) {
    const now = await read()
    if (now.equals(before)) return now
    before = now
  }
  throw new StartError(`${join(cluster, CONTROL)} changes with every reading: take the back-up again.`)
}

const SEGMENT = /^[0-9A-F]{24}$/

/**
 * The number of a segment in its timeline: eight digits for the log file, and eight for the segment, of which each file has 256.
 */
const placeOf = (name: string): number => Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16)

/**
 * The files of the log from one segment to another, both included, with the history files of their timelines.
 * @throws StartError if one is missing: without it the copy is unusable
 */
async function logSegments(folder: string, first: string, last: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  const segments = names.filter((name) => SEGMENT.test(name) && name >= first && name <= last)
  const wantedCount = placeOf(last) - placeOf(first) + 1
  if (segments.length !== wantedCount)
    throw new StartError(
      `${wantedCount - segments.length} files of PostgreSQL's log went away during the back-up: take it again.`,
    )
  return [...segments, ...names.filter((name) => name.endsWith('.history'))]
}
