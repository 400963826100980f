/** An error, as data. */
export interface ErrorRow {
  readonly status: number
  /** For people: one sentence that says what to do. The thrower may say it more exactly. */
  readonly message: string
  /** When it happens, for the documentation. */
  readonly when: string
  /** Of 429 and 503, where the thrower knows no better; else 1. */
  readonly retryAfterSeconds?: number
}
