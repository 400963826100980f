import { z } from 'zod'
import type { Issued } from '../../../accounts/login-tokens.ts'
import { type User, user } from '../../../accounts/user.ts'
import { endedSessionCookie, pageOf, sessionCookie } from '../../../admission/browser.ts'
import type { Visitor } from '../../../admission/gate.ts'
import { jsonReply } from '../../../http/reply.ts'
import type { Reply } from '../../../http/route.ts'

/** The answer of sign-up and sign-in. */
export const signedIn = z.object({
  token: z.string().describe('A login token, `at_` and 43 characters, shown this once.'),
  expiresAt: z.iso.datetime(),
  user,
})

export const signedInHeaders = {
  'Set-Cookie': 'A session with the same token, for a page of this server: HttpOnly, SameSite=Lax.',
} as const

export const signedOutHeaders = { 'Set-Cookie': "Removes a browser's session." } as const

/** A page of our own gets the token as a cookie too, which no script can read. */
export function signedInReply(visitor: Visitor, { user, ...issued }: Issued & { readonly user: User }): Reply {
  const reply = jsonReply({ token: issued.token, expiresAt: issued.expiresAt.toISOString(), user })
  if (pageOf(visitor) !== 'own') return reply
  return { ...reply, headers: { ...reply.headers, 'set-cookie': sessionCookie(visitor, issued) } }
}

/** What a browser keeps of the session goes with it. */
export function signedOutReply(visitor: Visitor, body: unknown): Reply {
  const reply = jsonReply(body)
  if (visitor.cookie === undefined) return reply
  return { ...reply, headers: { ...reply.headers, 'set-cookie': endedSessionCookie(visitor) } }
}
