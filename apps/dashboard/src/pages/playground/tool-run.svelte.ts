import { type ApiFailure, asFailure } from '../../api/api-failure.ts'

/** The outcome of a tool. */
export interface Outcome<Value> {
  readonly value: Value
  /** Its settings, to detect later changes. */
  readonly made: string
  /** The source picture. */
  readonly source: File
}

type Release<Value> = (value: Value) => void

const runs = new Set<{ clear(): void }>()

/** Another picture was opened, or closed: all outcomes of the last one are dropped. */
export function clearRuns(): void {
  for (const run of runs) run.clear()
}

/** A run of a tool on the picture: running, done or failed. The last outcome stays visible until there is a newer one. */
export class ToolRun<Value> {
  outcome = $state.raw<Outcome<Value>>()
  failure = $state.raw<ApiFailure>()
  isBusy = $state(false)
  readonly #release: Release<Value>
  #running: AbortController | undefined

  /** @param release frees the resources of an outcome, such as object URLs */
  constructor(release: Release<Value> = () => {}) {
    this.#release = release
    runs.add(this)
  }

  /** The outcome, if nothing newer was started; failures are kept for the page. */
  async start(source: File, settings: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value | undefined> {
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
      this.outcome = { value, made: settings, source }
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
