import { type ApiFailure, asFailure } from '../../api/api-failure.ts'
import { api } from '../../api/client.ts'
import type { TrialAnswer } from './trial-advice.ts'

export interface TriedModel {
  readonly baseUrl?: string
  readonly model?: string
  readonly apiKey?: string
}

/** One question to a model: its progress and its result. */
export class Trial {
  answer = $state.raw<TrialAnswer>()
  failure = $state.raw<ApiFailure>()
  isBusy = $state(false)
  /** Whole seconds since it began. */
  seconds = $state(0)
  #current: AbortController | undefined

  readonly run = async (body: TriedModel): Promise<void> => {
    if (this.isBusy) return
    this.clear()
    const mine = new AbortController()
    this.#current = mine
    this.isBusy = true
    const clock = setInterval(() => this.seconds++, 1000)
    try {
      const answer = await api.post('/api/user/ai-key/test', { body, signal: mine.signal })
      if (this.#current === mine) this.answer = answer
    } catch (error) {
      if (this.#current === mine) this.failure = asFailure(error)
    }
    clearInterval(clock)
    if (this.#current === mine) this.isBusy = false
  }

  /** Aborts a running trial, and clears the previous result. */
  readonly clear = (): void => {
    this.#current?.abort()
    this.#current = undefined
    this.answer = undefined
    this.failure = undefined
    this.isBusy = false
    this.seconds = 0
  }
}
