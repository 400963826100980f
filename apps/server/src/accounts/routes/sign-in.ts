import { z } from 'zod'
import { endedSessionCookie, pageOf, sessionCookie } from '../../admission/browser.ts'
import type { Visitor } from '../../admission/visitor.ts'
import { actorOf, loginOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute, type Reply } from '../../http/route.ts'
import { type User, user } from '../account.ts'
import { email, existingEmail } from '../email.ts'
import type { Issued } from '../login-tokens.ts'
import { personName } from '../names.ts'
import { newPassword, typedPassword } from '../password-text.ts'
import { signIn as checkAndIssue, signOut as endSignIns, signUp as makeAccount } from '../sign-in.ts'

/** The answer of sign-up and sign-in. */
export const signedIn = z.object({
  token: z.string().describe('A login token, `at_` and 43 characters, shown only once.'),
  expiresAt: z.iso.datetime(),
  user,
})

export const signedInHeaders = {
  'Set-Cookie': 'A session with the same token, for a page of this server: HttpOnly, SameSite=Lax.',
} as const

export const signedOutHeaders = { 'Set-Cookie': "Removes a browser's session." } as const

/** Our own pages also get the token as a cookie that no script can read. */
export function signedInReply(visitor: Visitor, { user, ...issued }: Issued & { readonly user: User }): Reply {
  const reply = jsonReply({ token: issued.token, expiresAt: issued.expiresAt.toISOString(), user })
  if (pageOf(visitor) !== 'own') return reply
  return { ...reply, headers: { ...reply.headers, 'set-cookie': sessionCookie(visitor, issued) } }
}

/** Removes the session cookie of a browser as well. */
export function signedOutReply(visitor: Visitor, body: unknown): Reply {
  const reply = jsonReply(body)
  if (visitor.cookie === undefined) return reply
  return { ...reply, headers: { ...reply.headers, 'set-cookie': endedSessionCookie(visitor) } }
}

export const signUp = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-up',
  name: 'signUp',
  tag: 'Account',
  summary: 'Create an account on the plan DEFAULT_PLAN, and sign in.',
  admission: 'signUp',
  json: z.strictObject({ email, password: newPassword, name: personName.default('') }),
  success: 201,
  produces: ['application/json'],
  answer: signedIn,
  headers: signedInHeaders,
  errors: ['email_taken', 'rate_limited', 'server_busy'],
  async handle(call) {
    const { config, database, passwords } = call.services
    const userAgent = call.request.header('user-agent')
    const newAccount = { ...call.body, plan: config.DEFAULT_PLAN, perHour: config.SIGN_UPS_PER_HOUR, userAgent }
    return signedInReply(call.visitor, await makeAccount(database.kysely, passwords, actorOf(call), newAccount))
  },
})

export const signIn = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-in',
  name: 'signIn',
  tag: 'Account',
  summary: 'Sign in with e-mail address and password; returns a login token valid for 30 days.',
  description:
    'An unknown address, a wrong password and a disabled account get the same response. At most ten wrong passwords in 15 minutes are allowed for each address and network.',
  admission: 'signIn',
  json: z.strictObject({ email: existingEmail, password: typedPassword }),
  produces: ['application/json'],
  answer: signedIn,
  headers: signedInHeaders,
  errors: ['invalid_credentials', 'rate_limited', 'server_busy'],
  async handle({ body, request, visitor, services: { database, passwords } }) {
    const { email, earlier: earlierEmail } = body.email
    const caller = { address: visitor.address, userAgent: request.header('user-agent') }
    const attempt = { email, earlierEmail, password: body.password, ...caller }
    return signedInReply(visitor, await checkAndIssue(database.kysely, passwords, attempt))
  },
})

export const signOut = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-out',
  name: 'signOut',
  tag: 'Account',
  summary: 'End this session, or all sessions of the account.',
  admission: 'login',
  json: z
    .strictObject({ everywhere: z.boolean().default(false).describe('End all sessions of the account.') })
    .default({ everywhere: false }),
  produces: ['application/json'],
  answer: z.object({ signedOut: z.int().describe('Number of login tokens revoked.') }),
  headers: signedOutHeaders,
  errors: [],
  async handle(call) {
    const { body, visitor, services } = call
    const signedOut = await endSignIns(services.database.kysely, actorOf(call), loginOf(visitor), body.everywhere)
    return signedOutReply(visitor, { signedOut })
  },
})
