/** A request of a handler to another endpoint of this server, which is admitted and charged as any other. */
export interface OwnRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** What has to be done with the answer before it is charged: if it throws an ApiError, that is the answer, and the call costs nothing. */
  readonly beforeCharge?: (answer: OwnAnswer) => Promise<void>
}

export interface OwnAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}
