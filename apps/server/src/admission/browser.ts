import type { Issued } from '../accounts/login-tokens.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Gate, Visitor } from './visitor.ts'

/**
 * Over TLS with the prefix `__Host-`: a browser accepts that only from this host, secure and for every path, so no other host of the
 * domain can set it. On plain HTTP, as on a LAN, a browser would refuse it.
 */
const nameOf = (visitor: Pick<Visitor, 'secure'>): string => (visitor.secure ? '__Host-session' : 'session')

/** Scripts cannot read it (HttpOnly), and forms of other sites do not send it (SameSite). */
const flagsOf = ({ secure }: Pick<Visitor, 'secure'>): string => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The token in a request's cookie. Of two with one name, the first, as RFC 6265 §5.4 orders them. */
export function sessionOf(visitor: Visitor): string | undefined {
  const start = `${nameOf(visitor)}=`
  const pair = visitor.cookie?.split(/; */).find((each) => each.startsWith(start))
  return pair?.slice(start.length)
}

export const sessionCookie = (visitor: Visitor, { token, expiresAt }: Issued): string =>
  `${nameOf(visitor)}=${token}; ${flagsOf(visitor)}; Expires=${expiresAt.toUTCString()}`

export const endedSessionCookie = (visitor: Visitor): string => `${nameOf(visitor)}=; ${flagsOf(visitor)}; Max-Age=0`

/**
 * Whether the request was sent by a page of this server, by a page of another site, or by a program other than a browser, as far
 * as the headers show.
 */
export function pageOf({ origin, fetchSite, host, secure }: Visitor): 'own' | 'foreign' | 'none' {
  if (origin === undefined) {
    if (fetchSite === undefined || fetchSite === 'none') return 'none'
    return fetchSite === 'same-origin' ? 'own' : 'foreign'
  }
  const page = URL.parse(origin)
  // With the page's scheme, so that a default port may be present or absent.
  const here = page && URL.parse(`${page.protocol}//${host}`)
  // A page that was loaded without TLS may be an attacker's.
  return here && page.host === here.host && page.host !== '' && (!secure || page.protocol === 'https:') ? 'own' : 'foreign'
}

/** Keeps other sites from signing their visitors in to another account. Scripts send no Origin. */
export const noForeignPage: Gate = (visitor) => {
  if (pageOf(visitor) === 'foreign') throw new ApiError('forbidden', { message: FOREIGN })
  return visitor
}

/**
 * For agents, as MCP demands: where a request names an origin, it is that of this server. PUBLIC_URL says which that is. Without it the
 * host of the request counts only where no name server of an attacker could have led a browser here (DNS rebinding): by TLS, by an IP
 * address, or as localhost.
 */
export const noForeignOrigin: Gate = (visitor, { config: { PUBLIC_URL: own } }) => {
  const { origin, host, secure } = visitor
  const isOurs = origin === own || (pageOf(visitor) === 'own' && (secure || HAS_FIXED_ADDRESS.test(host ?? '')))
  if (origin !== undefined && !isOurs) throw new ApiError('forbidden', { message: FOREIGN_AGENT })
  return visitor
}

const HAS_FIXED_ADDRESS = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i

const FOREIGN_AGENT = 'The Origin of the request is not this server; PUBLIC_URL sets its address.'

const FOREIGN = 'The request comes from a page of another site, or a proxy in between hides the host that was asked for.'

const SAFE_METHODS = ['GET', 'HEAD']

/** A browser sends the cookie with any site's request: one that changes something must come from a page of this server. */
export function requireOwnPage(visitor: Visitor): void {
  if (!SAFE_METHODS.includes(visitor.method) && pageOf(visitor) !== 'own') throw new ApiError('forbidden', { message: FOREIGN })
}
