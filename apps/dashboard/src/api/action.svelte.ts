import { type ApiFailure, asFailure } from './api-failure.ts'

interface ActionOptions {
  /** The fields of the action's form, which show what a failure says about them. */
  readonly fields?: readonly string[]
  /** Errors that are about one field, by their code, with a message in place of the server's. */
  readonly faults?: Readonly<Record<string, { readonly field: string; readonly message?: string }>>
  /** Shows failures elsewhere, as in a toast, if the control may be gone by then. */
  readonly onfailure?: (failure: ApiFailure) => void
}

/** What a user starts with a button or a form: it runs once at a time, and keeps why it failed until it runs again. */
export class Action {
  isBusy = $state(false)
  failure = $state.raw<ApiFailure>()
  readonly #work: () => Promise<void>
  readonly #options: ActionOptions

  /** @param work may throw an ApiFailure, or anything else */
  constructor(work: () => Promise<void>, options: ActionOptions = {}) {
    this.#work = work
    this.#options = options
  }

  /** Does nothing while it is running. @throws never: `failure` says why it failed */
  readonly run = async (): Promise<void> => {
    if (this.isBusy) return
    this.isBusy = true
    this.failure = undefined
    try {
      await this.#work()
    } catch (error) {
      const failure = asFailure(error)
      if (this.#options.onfailure) this.#options.onfailure(failure)
      else this.failure = failure
    }
    this.isBusy = false
  }

  /** Runs it when its form is submitted. */
  readonly submit = (event: SubmitEvent): void => {
    event.preventDefault()
    void this.run()
  }

  /** The last failure is no longer of interest: its dialog was closed, or its form changed. */
  readonly forget = (): void => {
    this.failure = undefined
  }

  /** What a field of the form shows. */
  fault(field: string): string | undefined {
    const { failure } = this
    if (!failure) return undefined
    const fault = this.#options.faults?.[failure.code]
    return fault?.field === field ? (fault.message ?? failure.message) : failure.of(field)
  }

  /** The failure, unless a field of the form shows it. */
  get notice(): ApiFailure | undefined {
    return this.#options.fields?.some((field) => this.fault(field) !== undefined) ? undefined : this.failure
  }
}
