import { api } from '../api/client.ts'
import { ANSWERED } from '../api/send.ts'
import { rememberedSteps, rememberSteps } from './remembered-steps.ts'

export type Step = 'picture' | 'key' | 'call'

/** The progress of a new user. It is read from the account, so that it is the same in every browser. */
export class FirstSteps {
  readonly #account: string
  finishedSteps = $state.raw<ReadonlySet<Step>>(new Set())
  isShown = $state(false)
  /** Calls a month in the dashboard, on a plan without API access. */
  trialCalls = $state<number>()

  constructor(account: string) {
    this.#account = account
    // A user who has seen them sees them at once; for others they do not flash up before it is known whether all are done.
    this.isShown = rememberedSteps(account) === 'begun'
  }

  /** Reads which steps are done, and follows changes; returns a function that stops it. */
  start(): () => void {
    if (rememberedSteps(this.#account) === 'over') return () => undefined
    void this.#readAll()
    document.addEventListener(ANSWERED, this.#onAnswer)
    window.addEventListener('focus', this.readCalls)
    return () => {
      document.removeEventListener(ANSWERED, this.#onAnswer)
      window.removeEventListener('focus', this.readCalls)
    }
  }

  readonly dismiss = (): void => {
    rememberSteps(this.#account, 'over')
    this.isShown = false
  }

  /** Whether a key has been used: programs do not notify this page. */
  readonly readCalls = async (): Promise<void> => {
    if (!this.isShown || this.finishedSteps.has('call')) return
    const keys = await api.get('/api/user/api-keys').catch(() => [])
    if (keys.some(({ lastUsedAt }) => lastUsedAt !== null)) this.#add('call')
  }

  async #readAll(): Promise<void> {
    // The steps are optional: if they cannot be read, none are shown.
    const read = await Promise.all([api.get('/api/v2/usage'), api.get('/api/user/api-keys')]).catch(() => undefined)
    // Or if they were dismissed meanwhile.
    if (!read || rememberedSteps(this.#account) === 'over') return
    const [usage, keys] = read
    if (usage.calls.by === 'trial') this.trialCalls = usage.calls.limit ?? undefined
    this.#add(
      ...(usage.calls.used > 0 ? (['picture'] as const) : []),
      ...(keys.length > 0 ? (['key'] as const) : []),
      ...(keys.some(({ lastUsedAt }) => lastUsedAt !== null) ? (['call'] as const) : []),
    )
    if (this.finishedSteps.size === 3) return this.dismiss()
    rememberSteps(this.#account, 'begun')
    this.isShown = true
  }

  readonly #onAnswer = (event: Event): void => {
    if (!(event instanceof CustomEvent)) return
    const { method, path } = event.detail as { readonly method: string; readonly path: string }
    if (method !== 'POST') return
    if (path.startsWith('/api/v1/') || path === '/api/v3/images') this.#add('picture')
    if (path === '/api/user/api-keys') this.#add('key')
  }

  #add(...steps: readonly Step[]): void {
    this.finishedSteps = new Set([...this.finishedSteps, ...steps])
    // Stays visible with its check marks until the next visit.
    if (this.finishedSteps.size === 3) rememberSteps(this.#account, 'over')
  }
}
