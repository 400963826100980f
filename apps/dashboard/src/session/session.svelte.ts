import { type Answer, api } from '../api/client.ts'
import { askWhenSessionEnds } from '../api/send.ts'
import { rememberSteps } from '../welcome/remembered-steps.ts'

export type User = Answer<'/api/user', 'get'>

/** Contains the account's id: shows other tabs too whether a user is signed in. Scripts cannot read the cookie. */
const HINT = 'signed-in'

/** Storage may be disabled: then each page starts at the sign-in. */
function remember(id: string | undefined): void {
  try {
    if (id === undefined) localStorage.removeItem(HINT)
    else localStorage.setItem(HINT, id)
  } catch {
    // Nothing depends on it but the first question.
  }
}

function rememberedId(): string | null {
  try {
    return localStorage.getItem(HINT)
  } catch {
    return null
  }
}

class Session {
  /** The account; undefined while no user is signed in. */
  user = $state.raw<User>()
  /** The session has ended while the page was open: a dialog above the page asks to sign in again. */
  isEnded = $state(false)
  #waiting: ((signedIn: boolean) => void)[] = []
  /** When the last sign-in happened: earlier requests were refused for the previous session. */
  #signedInAt = 0

  /** Whether a user was signed in at this browser: the server has not been asked yet. */
  get isExpected(): boolean {
    return rememberedId() !== null
  }

  /** Finds at the start of the page who is signed in. @throws ApiFailure when the server cannot say */
  async restore(): Promise<void> {
    if (!this.isExpected) return
    // An expired session is no end in mid-work here: nothing has been typed yet.
    askWhenSessionEnds(async () => false)
    try {
      this.user = await api.get('/api/user')
    } catch (error) {
      if (!isSignedOut(error)) throw error
      remember(undefined)
    } finally {
      askWhenSessionEnds(this.#askAgain)
    }
  }

  async signIn(email: string, password: string): Promise<void> {
    const { user } = await api.post('/api/auth/sign-in', { body: { email, password } })
    this.#begin(user)
  }

  async signUp(email: string, password: string, name: string): Promise<void> {
    const { user } = await api.post('/api/auth/sign-up', { body: { email, password, name } })
    rememberSteps(user.id, 'begun')
    this.#begin(user)
  }

  async signOut(everywhere = false): Promise<void> {
    await api.post('/api/auth/sign-out', { body: { everywhere } })
    this.forget()
  }

  /** The user has signed out. */
  forget(): void {
    remember(undefined)
    this.user = undefined
    this.#settle(false)
  }

  /** Reads the account again: others may have changed its credits and plan. */
  async refresh(): Promise<void> {
    this.user = await api.get('/api/user')
  }

  /** Another tab has signed in or out. */
  readonly onStorage = (event: StorageEvent): void => {
    if (event.key !== HINT || !this.user) return
    if (event.newValue === this.user.id) this.#settle(true)
    else if (event.newValue === null) this.isEnded = true
    // Another account signed in: this tab shows data of the previous one.
    else location.reload()
  }

  #begin(user: User): void {
    const wasSomebodyElse = this.isEnded && this.user?.id !== user.id
    remember(user.id)
    if (wasSomebodyElse) {
      location.reload()
      return
    }
    this.user = user
    this.#settle(true)
  }

  readonly #askAgain = (sentAt: number): Promise<boolean> => {
    if (!this.user) return Promise.resolve(false)
    if (sentAt < this.#signedInAt) return Promise.resolve(true)
    this.isEnded = true
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #settle(signedIn: boolean): void {
    this.isEnded = false
    if (signedIn) this.#signedInAt = performance.now()
    for (const resolve of this.#waiting.splice(0)) resolve(signedIn)
  }

  constructor() {
    askWhenSessionEnds(this.#askAgain)
  }
}

const isSignedOut = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 401

export const session = new Session()
