import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { findPreset } from '../accounts/presets.ts'
import type { Schema } from '../database/schema.ts'
import { namesOfAdministrators, readSource } from './read-sources.ts'
import type { Source } from './source.ts'
import { SourceChanges } from './source-changes.ts'

/** Without a change of a source its account may have been disabled. */
const MOST_AGE_MS = 60_000
/** Sources, and names that none has, in memory: those that are asked for stay, however many names are guessed. */
const MOST = 10_000

interface SourceEntry {
  /** Undefined for a name that no source has. */
  readonly source: Source | undefined
  readonly presets: Map<string, Promise<Recipe>>
  readonly readAt: number
}

/** Names of sources, as they were at a change. */
interface NameList {
  readonly names: readonly string[]
  readonly version: number | undefined
  readonly readAt: number
}

/** Sources as this process knows them: at most half a second old while the database can be asked, and the last that was known if not. */
export class KnownSources {
  readonly #db: Kysely<Schema>
  readonly #now: () => number
  readonly #entries: LRUCache<string, SourceEntry>
  readonly #changes: SourceChanges
  #ofAdministrators: NameList | undefined

  constructor(db: Kysely<Schema>, now: () => number = () => performance.now(), max = MOST) {
    this.#db = db
    this.#now = now
    this.#entries = new LRUCache({ max })
    this.#changes = new SourceChanges(db, now, () => this.#entries.clear())
  }

  /** Undefined unless it is certain that nothing has changed; then `find` knows more. */
  current(name: string): Source | undefined {
    this.#changes.use()
    const entry = this.#changes.isChecked() ? this.#entries.get(name) : undefined
    return entry && this.#isRecent(entry) ? entry.source : undefined
  }

  /** @throws the database's error for a source that was never read */
  async find(name: string): Promise<Source | undefined> {
    this.#changes.watch()
    await this.#changes.checkIfDue()
    const entry = this.#entries.get(name)
    return entry && this.#isRecent(entry) ? entry.source : await this.#read(name)
  }

  /** The sources of administrators, who answer for the whole server. */
  async ofAdministrators(): Promise<readonly Source[]> {
    await this.#changes.checkIfDue()
    const list = await this.#namesOfAdministrators()
    this.#ofAdministrators = list
    const sources = await Promise.all(list.names.map((name) => this.find(name)))
    return sources.filter((source) => source !== undefined)
  }

  /** A preset of the source's account. @throws ApiError preset_not_found */
  preset(source: Source, name: string): Promise<Recipe> {
    const presets = this.#entries.get(source.name)?.presets
    const preset = presets?.get(name)
    if (preset) return preset
    const reading = findPreset(this.#db, source.accountId, name)
    presets?.set(name, reading)
    reading.catch(() => presets?.delete(name))
    return reading
  }

  /** Whether no other server is known: none was when sources were last looked for. */
  isAlone(): boolean {
    return this.#changes.isAlone()
  }

  /** This process has changed a source: its next request reads it again, without waiting for the next look. */
  forgetAll(): void {
    this.#changes.forgetVersion()
    this.#entries.clear()
  }

  close(): void {
    this.#changes.close()
  }

  #isRecent({ readAt }: { readonly readAt: number }): boolean {
    return this.#now() - readAt < MOST_AGE_MS
  }

  async #read(name: string): Promise<Source | undefined> {
    const { version } = this.#changes
    const earlier = this.#entries.get(name)
    try {
      const source = await readSource(this.#db, name)
      // Unless a change came meanwhile, which this may not have seen.
      if (this.#changes.version === version) this.#entries.set(name, { source, presets: new Map(), readAt: this.#now() })
      return source
    } catch (error) {
      if (!earlier) throw error
      this.#entries.set(name, { ...earlier, readAt: this.#now() })
      return earlier.source
    }
  }

  async #namesOfAdministrators(): Promise<NameList> {
    const { version } = this.#changes
    const earlier = this.#ofAdministrators
    if (earlier && earlier.version === version && this.#isRecent(earlier)) return earlier
    try {
      return { names: await namesOfAdministrators(this.#db), version, readAt: this.#now() }
    } catch (error) {
      if (!earlier) throw error
      return { ...earlier, readAt: this.#now() }
    }
  }
}
