import { setTimeout as sleep } from 'node:timers/promises'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { findPreset } from '../accounts/presets.ts'
import type { Schema } from '../database/schema.ts'
import { INSTANCE_LOCK } from '../metering/instance.ts'
import type { Place, Source } from './source.ts'

/** How often a process that delivers asks whether a source has changed: a purge is seen by all in less than a second. */
const CHECK_MS = 250
/** A database that takes longer counts as away: what is cached is served without it. */
const PATIENCE_MS = 1_000
/** A process that delivers nothing stops asking. */
const IDLE_MS = 10_000
/** Without a change of a source its account may have been disabled. */
const KEEP_MS = 60_000
/** Sources, and names that none has, in memory: those that are asked for stay, however many names are guessed. */
const MOST = 10_000

/** Every server holds a lock while it is alive. */
const SERVERS = sql<number>`(
  select count(*) from pg_locks
   where locktype = 'advisory' and classid = ${INSTANCE_LOCK}::oid and granted
     and database = (select oid from pg_database where datname = current_database()))::int`.as('servers')

interface Known {
  readonly source: Source | undefined
  readonly presets: Map<string, Promise<Recipe>>
  readonly loadedAt: number
}

/** Names of sources, as they were at a change. */
interface NamedSources {
  readonly names: readonly string[]
  readonly version: number | undefined
  readonly at: number
}

/** Sources as this process knows them: at most half a second old while the database can be asked, and the last that was known if not. */
export interface KnownSources {
  /** Undefined unless it is known that nothing has changed; then `find` knows more. */
  current(name: string): Source | undefined
  /** @throws the database's error for a source that was never read */
  find(name: string): Promise<Source | undefined>
  /** The sources of administrators, who answer for the whole server. */
  ofAdministrators(): Promise<readonly Source[]>
  /** A preset of the source's account. @throws ApiError preset_not_found */
  preset(source: Source, name: string): Promise<Recipe>
  /** Whether no other server is known: none was when sources were last looked for. */
  isAlone(): boolean
  /** This process has changed a source: its next request reads it again, without waiting for the next look. */
  changed(): void
  close(): void
}

export function knownSources(db: Kysely<Schema>, now: () => number = () => performance.now(), max = MOST): KnownSources {
  const known = new LRUCache<string, Known>({ max })
  let version: number | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let usedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let administrators: NamedSources | undefined
  let servers = Number.POSITIVE_INFINITY
  let away = false
  let closed = false

  async function check(): Promise<void> {
    const began = now()
    try {
      const row = await db.selectFrom('source_change').select(['version', SERVERS]).executeTakeFirstOrThrow()
      if (row.version !== version) known.clear()
      version = row.version
      servers = row.servers
      checkedAt = began
      away = false
    } catch {
      // Requests that need the database report it.
      away = true
    } finally {
      checking = undefined
    }
  }
  function checkOnce(): Promise<void> {
    checking ??= check()
    return checking
  }
  async function checkInTime(): Promise<void> {
    const late = sleep(PATIENCE_MS, true, { ref: false })
    if (await Promise.race([checkOnce(), late])) away = true
  }
  /** Asks again and again while something is delivered. */
  function watch(): void {
    usedAt = now()
    if (timer || closed) return
    timer = setInterval(() => {
      if (now() - usedAt < IDLE_MS) void checkOnce()
      else stop()
    }, CHECK_MS).unref()
  }
  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
  const isChecked = () => away || now() - checkedAt < 2 * CHECK_MS

  async function load(name: string): Promise<Source | undefined> {
    const before = version
    const earlier = known.get(name)
    try {
      const source = await read(db, name)
      // Unless a change came meanwhile, which this may not have seen.
      if (version === before) {
        known.set(name, { source, presets: new Map(), loadedAt: now() })
      }
      return source
    } catch (error) {
      if (!earlier) throw error
      known.set(name, { ...earlier, loadedAt: now() })
      return earlier.source
    }
  }
  async function listOrEarlier(earlier: NamedSources | undefined): Promise<NamedSources> {
    const before = version
    try {
      return { names: await administratorsSources(db), version: before, at: now() }
    } catch (error) {
      if (!earlier) throw error
      return { ...earlier, at: now() }
    }
  }
  return {
    current(name) {
      usedAt = now()
      const found = isChecked() ? known.get(name) : undefined
      return found && usedAt - found.loadedAt < KEEP_MS ? found.source : undefined
    },
    async find(name) {
      watch()
      if (!isChecked()) await checkInTime()
      const found = known.get(name)
      return found && now() - found.loadedAt < KEEP_MS ? found.source : await load(name)
    },
    async ofAdministrators() {
      if (!isChecked()) await checkInTime()
      const earlier = administrators
      const isKnown = earlier && earlier.version === version && now() - earlier.at < KEEP_MS
      const list = isKnown ? earlier : await listOrEarlier(earlier)
      administrators = list
      const found = await Promise.all(list.names.map((name) => this.find(name)))
      return found.filter((source) => source !== undefined)
    },
    async preset(source, name) {
      const { presets } = known.get(source.name) ?? {}
      const found = presets?.get(name)
      if (found) return found
      const loading = findPreset(db, source.accountId, name)
      presets?.set(name, loading)
      loading.catch(() => presets?.delete(name))
      return loading
    },
    isAlone: () => servers <= 1,
    changed() {
      version = undefined
      known.clear()
    },
    close() {
      closed = true
      stop()
    },
  }
}

async function administratorsSources(db: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('source')
    .innerJoin('account', 'account.id', 'source.account_id')
    .select('source.name')
    .where('account.role', '=', 'admin')
    .execute()
  return rows.map(({ name }) => name)
}

/** Sources of accounts that are disabled or deleted are none. */
async function read(db: Kysely<Schema>, name: string): Promise<Source | undefined> {
  const row = await db
    .selectFrom('source')
    .innerJoin('account', 'account.id', 'source.account_id')
    .selectAll('source')
    .select(['account.role', 'account.delivery_places'])
    .where('source.name', '=', name)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const purged = await db.selectFrom('source_purge').selectAll().where('source', '=', name).execute()
  const secrets = [row.secret, row.previous_secret].filter((secret) => secret !== null)
  return {
    name,
    accountId: row.account_id,
    granted: row.role === 'admin' ? undefined : row.delivery_places,
    place: row.place as Place,
    maxAgeSeconds: row.max_age,
    unsigned: row.unsigned,
    secrets: secrets.map((secret) => Buffer.from(secret, 'base64url')),
    generation: row.generation,
    purged: new Map(purged.map(({ path, generation }) => [path, generation])),
  }
}
