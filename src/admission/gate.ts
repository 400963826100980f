import type { Login } from '../accounts/login-tokens.ts'
import type { User } from '../accounts/user.ts'
import type { Admitted } from '../metering/calls.ts'
import type { Services } from '../services.ts'

/** What is known about a caller so far, from the headers alone. Each gate adds to it or throws. */
export interface Visitor {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly origin: string | undefined
  /** Sec-Fetch-Site: what a browser says of the page that sent the request. */
  readonly fetchSite: string | undefined
  /** The host that the client spoke to. */
  readonly host: string | undefined
  readonly method: string
  /** Of the client, behind the proxies that are trusted. */
  readonly address: string
  /** Whether it came over TLS, here or to a trusted proxy. */
  readonly secure: boolean
  readonly apiKeyHash?: Buffer
  readonly admitted?: Admitted
  /** Who is signed in. */
  readonly login?: Login
  /** As `login` has it. */
  readonly user?: User
}

/** @throws ApiError, when the caller may not pass */
export type Gate = (visitor: Visitor, services: Services) => Visitor | Promise<Visitor>
