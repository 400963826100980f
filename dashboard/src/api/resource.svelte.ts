import { type ApiFailure, asFailure } from './api-failure.ts'
import { tryAgain } from './try-again.ts'

/** Something that is read from the server for a page: its latest value, and what stands in the way of a newer one. */
export class Resource<T> {
  value = $state.raw<T>()
  failure = $state.raw<ApiFailure>()
  loading = $state(false)
  readonly #read: (signal: AbortSignal) => Promise<T>
  #latest: AbortController | undefined
  #stopTrying: () => void = () => {}

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read
  }

  /** Reads anew; the value stays in sight meanwhile. Of two readings only the later one counts. */
  reload = async (): Promise<void> => {
    this.close()
    const mine = new AbortController()
    this.#latest = mine
    this.loading = true
    try {
      const value = await this.#read(mine.signal)
      if (this.#latest !== mine) return
      this.value = value
      this.failure = undefined
    } catch (error) {
      if (this.#latest !== mine) return
      this.failure = asFailure(error)
      if (this.failure.isTemporary) this.#stopTrying = tryAgain(this.reload, this.failure.retryAfterSeconds)
    }
    this.loading = false
  }

  close(): void {
    this.#latest?.abort()
    this.#latest = undefined
    this.#stopTrying()
  }
}

/** Reads for as long as the component lives; reads again when state changes that `read` looks at before its first await. */
export function resource<T>(read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const made = new Resource(read)
  $effect(() => {
    void made.reload()
    return () => made.close()
  })
  return made
}
