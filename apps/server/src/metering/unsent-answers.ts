import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { INSTANCE_LOCK } from './instance.ts'

/** Tracks which charged calls this process has begun to answer: the next start refunds the others (`refundUnbegun`). */
export interface BegunAnswers {
  /** Called right before the answer of a charged call is sent; takes some microseconds and never throws. */
  begin(id: string): void
  /** After an orderly shutdown nothing is refunded: all answers have ended. */
  close(): Promise<void>
}

export interface BegunAnswersOptions extends BegunFolder {
  readonly pool: pg.Pool
  readonly server: number
  /** Calls that a kill leaves unanswered stay charged until this works again. */
  readonly onFault: (error: unknown) => void
  /** Interval for deleting the notes of answered calls; both lists then hold the calls of some seconds. */
  readonly everyMs?: number
}

const FORGET_EVERY_MS = 10_000

const FORGET = { name: 'forget_begun', text: 'delete from settled_call where id = any($1::uuid[])' }

export function begunAnswers({ pool, server, onFault, everyMs = FORGET_EVERY_MS, ...place }: BegunAnswersOptions): BegunAnswers {
  const path = pathOf(place, server)
  let ids: Buffer[] = []
  let file: BegunFile | undefined
  let forgetting: Promise<void> = Promise.resolve()
  let timer = setTimeout(forget, everyMs).unref()
  renew()

  /** All ids that the database may still have a note of. */
  function renew(): void {
    file?.close()
    file = undefined
    try {
      mkdirSync(place.folder, { recursive: true, mode: 0o700 })
      file = replaceFile(path, ids)
    } catch (error) {
      drop(error)
    }
  }
  /** A file with a missing id would have an answered call refunded, so no file is written then. */
  function drop(error: unknown): void {
    file?.close()
    file = undefined
    onFault(error)
    try {
      removeFile(path)
    } catch (removal) {
      onFault(removal)
    }
  }
  function forget(): void {
    forgetting = forgetBegun()
      // While the database is unavailable nothing is settled, and the ids are kept.
      .catch(onFault)
      .finally(() => {
        timer = setTimeout(forget, everyMs).unref()
      })
  }
  async function forgetBegun(): Promise<void> {
    const begunCount = ids.length
    if (begunCount === 0) return
    await pool.query({ ...FORGET, values: [ids.map((id) => id.toString('hex'))] })
    ids = ids.slice(begunCount)
    renew()
  }
  return {
    begin(id) {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
      ids.push(bytes)
      try {
        file?.append(bytes)
      } catch (error) {
        drop(error)
      }
    },
    async close() {
      await forgetting
      clearTimeout(timer)
      file?.close()
      file = undefined
      // The file is deleted in any case: without it the remaining notes have no effect.
      removeFile(path)
      await pool.query('delete from settled_call where server = $1', [server]).catch(onFault)
    },
  }
}

const ID_BYTES = 16
const UNFINISHED = '.new'

/** Identifies the servers of one installation: two databases number their servers alike, and may share a folder. */
export interface BegunFolder {
  readonly folder: string
  readonly installation: string
}

/** The ids of one server's calls whose answer has begun. The file outlives the process, not the machine: it is never synced. */
export interface BegunFile {
  /** @throws Error if the disk refuses the write */
  append(id: Buffer): void
  close(): void
}

export const nameOf = ({ installation }: BegunFolder, server: number): string => `${installation}.${server}`

/** The server that the file belongs to; undefined for another installation's, and for a foreign file. */
function serverOf({ installation }: BegunFolder, name: string): number | undefined {
  const number = name.startsWith(`${installation}.`) ? name.slice(installation.length + 1) : ''
  return /^\d+$/.test(number) ? Number(number) : undefined
}

/** Replaces the previous file by one with these ids, atomically. @throws Error of the system call that failed */
function replaceFile(path: string, ids: readonly Buffer[]): BegunFile {
  const unfinishedText = path + UNFINISHED
  const descriptor = openSync(unfinishedText, 'w', 0o600)
  try {
    write(descriptor, Buffer.concat([Buffer.from(`${bootId()}\n`), ...ids]))
    renameSync(unfinishedText, path)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return { append: (id) => write(descriptor, id), close: () => closeSync(descriptor) }
}

/** An incomplete id would shift those that follow. */
function write(descriptor: number, bytes: Buffer): void {
  if (writeSync(descriptor, bytes) !== bytes.length) throw new Error('the disk took a part only')
}

/** Its ids; null if this or another machine was restarted in between, so that the last ids may be missing. */
async function readIds(path: string): Promise<readonly string[] | null> {
  const bytes = await readFile(path)
  const begin = bytes.indexOf('\n') + 1
  const boot = bytes.toString('latin1', 0, Math.max(0, begin - 1))
  if (boot === '' || boot !== bootId()) return null
  const ids: string[] = []
  for (let at = begin; at + ID_BYTES <= bytes.length; at += ID_BYTES) ids.push(bytes.toString('hex', at, at + ID_BYTES))
  return ids
}

function removeFile(path: string): void {
  for (const each of [path, path + UNFINISHED]) rmSync(each, { force: true })
}

export const pathOf = (place: BegunFolder, server: number): string => join(place.folder, nameOf(place, server))

/** Changes with each start of the machine; empty on systems without it, which means not on Linux. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}

/**
 * Refunds the calls that dead servers had charged and not begun to answer, once, by the files that those servers left in the
 * folder. Returns how many.
 */
export async function refundUnbegun(pool: pg.Pool, place: BegunFolder): Promise<number> {
  let total = 0
  for (const name of await readdir(place.folder)) {
    const server = serverOf(place, name)
    if (server === undefined || !(await isGone(pool, server))) continue
    total += await refundOf(pool, place, server)
  }
  return total
}

/** Checked before the file is read, since a live server still writes to it. */
async function isGone(pool: pg.Pool, server: number): Promise<boolean> {
  const { rows } = await pool.query<{ gone: boolean }>('select pg_try_advisory_xact_lock_shared($1, $2) as gone', [
    INSTANCE_LOCK,
    server,
  ])
  return rows[0]?.gone === true
}

async function refundOf(pool: pg.Pool, place: BegunFolder, server: number): Promise<number> {
  const path = pathOf(place, server)
  const begunTexts = await readIds(path).catch((error: NodeJS.ErrnoException) => {
    // Another server that shares the folder was faster.
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (begunTexts === undefined) return 0
  const { rows } = await pool.query<{ refunded: number | null }>('select refund_unbegun($1, $2, $3) as refunded', [
    INSTANCE_LOCK,
    server,
    begunTexts,
  ])
  const refundedCount = rows[0]?.refunded ?? null
  if (refundedCount === null) return 0
  removeFile(path)
  return refundedCount
}

/** Deletes notes of calls that cannot be resolved any more: their server's file was lost, or is on another machine. */
export async function forgetSettledCalls(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from settled_call where at < clock_timestamp() - interval '1 hour'`)
}
