import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { INSTANCE_LOCK } from '../metering/instance.ts'

/** How often a process that delivers asks whether a source has changed: a purge is seen by all in less than a second. */
const CHECK_MS = 250
/** A database that takes longer counts as away: what is cached is served without it. */
const PATIENCE_MS = 1_000
/** A process that delivers nothing stops asking. */
const IDLE_MS = 10_000

/** Every server holds a lock while it is alive. */
const SERVERS = sql<number>`(
  select count(*) from pg_locks
   where locktype = 'advisory' and classid = ${INSTANCE_LOCK}::oid and granted
     and database = (select oid from pg_database where datname = current_database()))::int`.as('servers')

/** Looks whether any source has changed, again and again while something is delivered. */
export class SourceChanges {
  readonly #db: Kysely<Schema>
  readonly #now: () => number
  readonly #onChange: () => void
  #version: number | undefined
  #servers = Number.POSITIVE_INFINITY
  #checkedAt = Number.NEGATIVE_INFINITY
  #usedAt = Number.NEGATIVE_INFINITY
  #check: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isAway = false
  #isClosed = false

  constructor(db: Kysely<Schema>, now: () => number, onChange: () => void) {
    this.#db = db
    this.#now = now
    this.#onChange = onChange
  }

  /** Grows with each change of any source; undefined before it was read. */
  get version(): number | undefined {
    return this.#version
  }

  /** Whether nothing can have changed unseen, or the database cannot be asked. */
  isChecked(): boolean {
    return this.#isAway || this.#now() - this.#checkedAt < 2 * CHECK_MS
  }

  isAlone(): boolean {
    return this.#servers <= 1
  }

  forgetVersion(): void {
    this.#version = undefined
  }

  /** Something is delivered: what watches goes on. */
  use(): void {
    this.#usedAt = this.#now()
  }

  watch(): void {
    this.use()
    if (this.#timer || this.#isClosed) return
    this.#timer = setInterval(() => this.#look(), CHECK_MS).unref()
  }

  async checkIfDue(): Promise<void> {
    if (this.isChecked()) return
    const late = sleep(PATIENCE_MS, true, { ref: false })
    if (await Promise.race([this.#checkOnce(), late])) this.#isAway = true
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
  }

  #look(): void {
    if (this.#now() - this.#usedAt < IDLE_MS) void this.#checkOnce()
    else this.#stop()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #checkOnce(): Promise<void> {
    this.#check ??= this.#readVersion()
    return this.#check
  }

  async #readVersion(): Promise<void> {
    const began = this.#now()
    try {
      const row = await this.#db.selectFrom('source_change').select(['version', SERVERS]).executeTakeFirstOrThrow()
      if (row.version !== this.#version) this.#onChange()
      this.#version = row.version
      this.#servers = row.servers
      this.#checkedAt = began
      this.#isAway = false
    } catch {
      // Requests that need the database report it.
      this.#isAway = true
    } finally {
      this.#check = undefined
    }
  }
}
