import { type ApiFailure, asFailure } from '../../api/api-failure.ts'
import { type Answer, api } from '../../api/client.ts'

export type BatchState = Answer<'/api/v2/batch/{id}/status', 'get'>

export const hasEnded = ({ status }: Pick<BatchState, 'status'>): boolean => status === 'completed' || status === 'failed'

const AGAIN_MS = 2_000
/** A hidden tab releases its connection: browsers open six to a server. */
const HIDDEN_MS = 10_000
const EVENTS = ['progress', 'completed', 'failed'] as const

/**
 * Follows a batch: reads it once, then listens to events, and reads it again whenever the stream breaks, until the batch has
 * ended.
 */
export class BatchFollower {
  state = $state.raw<BatchState>()
  /** Why there is no newer state. */
  failure = $state.raw<ApiFailure>()
  readonly #id: string
  readonly #end = new AbortController()

  constructor(id: string) {
    this.#id = id
    void this.#follow()
  }

  readonly close = (): void => this.#end.abort()

  readonly reload = async (): Promise<void> => {
    const { signal } = this.#end
    try {
      const state = await api.get('/api/v2/batch/{id}/status', { path: { id: this.#id }, signal })
      if (signal.aborted) return
      this.state = state
      this.failure = undefined
    } catch (error) {
      if (!signal.aborted) this.failure = asFailure(error)
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end
    for (;;) {
      await this.reload()
      if (signal.aborted || (this.state && hasEnded(this.state)) || this.failure?.status === 404) return
      if (document.hidden) await pause(HIDDEN_MS, signal)
      else {
        if (!this.failure) await this.#listen()
        await pause(AGAIN_MS, signal)
      }
      if (signal.aborted) return
    }
  }

  /** Listens until the batch has ended, the stream breaks, or the tab is hidden. */
  #listen(): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#end.signal])
    const events = new EventSource(`/api/v2/batch/${this.#id}/events`)
    for (const name of EVENTS)
      events.addEventListener(name, ({ data }) => {
        this.state = JSON.parse(data) as BatchState
        if (hasEnded(this.state)) over.abort()
      })
    events.onerror = () => over.abort()
    document.addEventListener('visibilitychange', () => document.hidden && over.abort(), { signal })
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        events.close()
        resolve()
      })
    })
  }
}

/** The pause ends sooner when the tab becomes visible. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ending = new AbortController()
    const end = () => {
      clearTimeout(clock)
      ending.abort()
      resolve()
    }
    const clock = setTimeout(end, ms)
    signal.addEventListener('abort', end, { signal: ending.signal })
    document.addEventListener('visibilitychange', () => !document.hidden && end(), { signal: ending.signal })
  })
}
