import type { Login } from '../accounts/login-tokens.ts'
import type { Allowance } from '../contract/allowance.ts'
import type { PlanName } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'
import type { MeteredCall } from '../metering/charge-call.ts'
import type { Services } from '../services.ts'

/** The caller of an AI endpoint, within the burst limit and, with an API key, on a plan that includes AI. */
export interface AiCaller {
  readonly accountId: string
  readonly plan: PlanName
  /** Null for a call with a session. */
  readonly keyId: string | null
}

/** What is known about a caller so far, at first from the headers alone. Each gate adds to it or throws. */
export interface Visitor {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly origin: string | undefined
  /** Sec-Fetch-Site: where a browser says the requesting page is from. */
  readonly fetchSite: string | undefined
  /** The host that the client spoke to. */
  readonly host: string | undefined
  readonly method: string
  /** The client's, as trusted proxies report it. */
  readonly address: string
  /** Whether the client used TLS, to this server or to a trusted proxy. */
  readonly secure: boolean
  /** The JSON body, for gates that need it; undefined where it is larger than 64 KiB, late, or not JSON. */
  readonly smallBody?: () => Promise<unknown>
  /** Scopes of which an API key needs one; without them any key will do. */
  readonly scopes?: readonly Scope[] | undefined
  readonly apiKeyHash?: Buffer
  /** The signed-in account. */
  readonly login?: Login
  /** Whether they are signed in by a cookie, not by a bearer token. */
  readonly bySession?: boolean
  /** Id of the account that calls. */
  readonly account?: string
  /** The call that was reserved for this request. */
  readonly metered?: MeteredCall
  readonly ai?: AiCaller
  /** Counts the image against the render queue while its upload arrives. */
  readonly place?: Disposable
  /** Counts the request until its end, where it is not counted otherwise. */
  readonly seat?: Disposable
  /** What the caller may still do, where no call was reserved. */
  readonly allowance?: Allowance
}

/** @throws ApiError, when the caller may not pass */
export type Gate = (visitor: Visitor, services: Services) => Visitor | Promise<Visitor>
