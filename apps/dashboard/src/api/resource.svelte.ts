import { type ApiFailure, asFailure } from './api-failure.ts'
import { tryAgain } from './try-again.ts'

/** Data that a page reads from the server: the latest value, and the failure of a later read. */
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

  /** Reads again; the value stays visible meanwhile. Of two concurrent reads only the later one counts. */
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

/** A resource of a component. It is read again when state changes that `read` uses before its first await. */
export function resource<T>(read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const own = new Resource(read)
  $effect(() => {
    void own.reload()
    return () => own.close()
  })
  return own
}
