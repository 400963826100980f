import type { Login } from '../accounts/login-tokens.ts'
import type { Allowance } from '../contract/allowance.ts'
import type { PlanName } from '../contract/plans.ts'
import type { MeteredCall } from '../metering/metered-call.ts'
import type { Services } from '../services.ts'

/** Who calls an AI endpoint: past the burst limit, and with a plan that has AI where an API key calls. */
export interface AiCaller {
  readonly accountId: string
  readonly plan: PlanName
  /** Null where somebody is signed in. */
  readonly keyId: string | null
}

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
  /** The JSON body, for gates that need it; undefined where it is larger than 64 KiB, late, or not JSON. */
  readonly smallBody?: () => Promise<unknown>
  readonly apiKeyHash?: Buffer
  /** Who is signed in. */
  readonly login?: Login
  /** Whether that is by the cookie of a page of ours, not by a bearer token. */
  readonly bySession?: boolean
  /** Id of the account that calls. */
  readonly account?: string
  /** The call that was reserved for this request. */
  readonly metered?: MeteredCall
  readonly ai?: AiCaller
  /** In front of the renderers, for the image that is to come. */
  readonly place?: Disposable
  /** What the caller may still do, where no call was reserved. */
  readonly allowance?: Allowance
}

/** @throws ApiError, when the caller may not pass */
export type Gate = (visitor: Visitor, services: Services) => Visitor | Promise<Visitor>
