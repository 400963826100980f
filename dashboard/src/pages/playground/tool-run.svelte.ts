import { type ApiFailure, asFailure } from '../../api/api-failure.ts'

/** What came of a tool. */
export interface Outcome<Value> {
  readonly value: Value
  /** With what it was made, to see whether it still is what is set. */
  readonly made: string
  /** The picture that it was made of. */
  readonly source: File
}

type Release<Value> = (value: Value) => void

const runs = new Set<{ clear(): void }>()

/** Another picture, or none: nothing of the last one is left, whatever the tool. */
export function clearRuns(): void {
  for (const run of runs) run.clear()
}

/** A tool at work on the picture: under way, done or failed. The last outcome stays in sight until there is a newer one. */
export class ToolRun<Value> {
  outcome = $state.raw<Outcome<Value>>()
  failure = $state.raw<ApiFailure>()
  isBusy = $state(false)
  readonly #release: Release<Value>
  #running: AbortController | undefined

  /** @param release gives back what an outcome holds, such as object URLs */
  constructor(release: Release<Value> = () => {}) {
    this.#release = release
    runs.add(this)
  }

  /** The outcome, where it came before anything else was begun; failures are kept for the page. */
  async start(source: File, made: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value | undefined> {
    this.#running?.abort()
    const mine = new AbortController()
    this.#running = mine
    this.isBusy = true
    this.failure = undefined
    try {
      const value = await work(mine.signal)
      if (this.#running !== mine) {
        this.#release(value)
        return undefined
      }
      this.#drop()
      this.outcome = { value, made, source }
    } catch (error) {
      if (this.#running !== mine) return undefined
      this.failure = asFailure(error)
    }
    this.isBusy = false
    return this.failure ? undefined : this.outcome?.value
  }

  readonly cancel = (): void => {
    this.#running?.abort()
    this.#running = undefined
    this.isBusy = false
  }

  clear(): void {
    this.cancel()
    this.failure = undefined
    this.#drop()
  }

  #drop(): void {
    if (this.outcome) this.#release(this.outcome.value)
    this.outcome = undefined
  }
}
