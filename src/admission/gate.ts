import type { Admitted } from '../metering/calls.ts'
import type { Services } from '../services.ts'

/** What is known about a caller so far, from the headers alone. Each gate adds to it or throws. */
export interface Visitor {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
  readonly method: string
  /** Of the client, behind the proxies that are trusted. */
  readonly address: string
  /** Whether it came over TLS, here or to a trusted proxy. */
  readonly secure: boolean
  readonly apiKeyHash?: Buffer
  readonly admitted?: Admitted
}

/** @throws ApiError, when the caller may not pass */
export type Gate = (visitor: Visitor, services: Services) => Visitor | Promise<Visitor>
