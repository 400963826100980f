import type { Issued } from '../accounts/login-tokens.ts'
import type { Visitor } from './gate.ts'

/**
 * Over TLS `__Host-`, which a browser takes only from this very host, secure and for every path: no neighbour can plant
 * one. On plain HTTP, as on a LAN, it would refuse that.
 */
const nameOf = (visitor: Pick<Visitor, 'secure'>): string => (visitor.secure ? '__Host-session' : 'session')

/** No script reads it (HttpOnly), and no other site's form sends it (SameSite). */
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
