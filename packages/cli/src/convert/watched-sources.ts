import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Listed, SourceFile, Sources } from '../files/source.ts'
import type { Outcome } from './conversion.ts'

/** A file that was changed less than this ago may still be written. */
export const SETTLE_MS = 1_000
/** Failures that are remembered; older ones are tried and named again. */
const MOST_FAILURES = 10_000
/** Folders whose changes the system is asked to tell of, which is limited for each user; the others are rescanned. */
const MOST_FOLDERS = 1_024

/** The sources of a run that goes on: without files that are being written, and failures that have not changed since. */
export class WatchedSources implements Sources {
  readonly #sources: Sources
  /** The version of each image that has failed, by name. */
  readonly #failures = new Map<string, string>()
  /** The versions of images in flight. */
  readonly #versions = new Map<string, string>()
  #folders = new Set<string>()
  #isSettled = true

  /** As that of the sources that are watched. */
  readonly count?: () => Promise<number>

  constructor(sources: Sources) {
    this.#sources = sources
    const { count } = sources
    if (count) this.count = () => count()
  }

  /** Whether the system can tell of changes. */
  get isLocal(): boolean {
    return (this.#sources.folders ?? []).length > 0
  }

  /** The folders of the images that were listed last, and those that were named. */
  get folders(): readonly string[] {
    return [...this.#folders]
  }

  /** Whether the last listing had no file that is being written. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  async *list(): AsyncGenerator<Listed> {
    this.#isSettled = true
    this.#folders = new Set(this.#sources.folders ?? [])
    for await (const source of this.#sources.list()) {
      if (!('failure' in source)) {
        this.#noteFolder(source)
        const version = versionOf(source)
        if (source.location !== undefined && isBeingWritten(source.location)) this.#isSettled = false
        else if (version === undefined || this.#failures.get(source.name) !== version) {
          this.#versions.set(source.name, version ?? '')
          yield source
        }
      }
    }
  }

  /** Objects of a bucket that have failed are not listed again, and are not gone; files are looked for. */
  isGone(origin: string): boolean {
    return !this.#failures.has(origin) && this.#sources.isGone?.(origin) === true
  }

  /** What became of an image that was listed, which is passed on. */
  note(outcome: Outcome, pass: (outcome: Outcome) => void): void {
    const { source, status } = outcome
    pass(outcome)
    const version = this.#versions.get(source)
    this.#versions.delete(source)
    this.#failures.delete(source)
    if (status !== 'failed' || version === undefined) return
    this.#failures.set(source, version)
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MOST_FAILURES && oldest !== undefined) this.#failures.delete(oldest)
  }

  #noteFolder({ location }: SourceFile): void {
    if (location !== undefined && this.#folders.size < MOST_FOLDERS) this.#folders.add(dirname(location))
  }
}

function isBeingWritten(location: string): boolean {
  const ageMs = Date.now() - (statSync(location, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  // A clock that is ahead would never let it settle.
  return ageMs >= 0 && ageMs < SETTLE_MS
}

/** Undefined for what is gone by now: its reading fails by name. */
function versionOf(source: SourceFile): string | undefined {
  try {
    const { bytes, tag } = source.version()
    return `${bytes} ${tag}`
  } catch {
    return undefined
  }
}
