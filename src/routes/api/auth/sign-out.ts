import { z } from 'zod'
import { signOut as endSignIns } from '../../../accounts/sign-out.ts'
import { endedSessionCookie } from '../../../admission/session-cookie.ts'
import { jsonReply } from '../../../http/json-reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { loginOf } from '../login-of.ts'

export const signOut = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-out',
  name: 'signOut',
  tag: 'Account',
  summary: 'End this sign-in, or all of the account.',
  admission: 'login',
  json: z
    .object({ everywhere: z.boolean().default(false).describe('Ends every sign-in of the account.') })
    .default({ everywhere: false }),
  produces: ['application/json'],
  answer: z.object({ signedOut: z.int().describe('Login tokens that have ended.') }),
  headers: { 'Set-Cookie': "Removes a browser's session." },
  errors: [],
  async handle(call) {
    const { body, visitor, services } = call
    const signedOut = await endSignIns(services.database.kysely, actorOf(call), loginOf(visitor), body.everywhere)
    const reply = jsonReply({ signedOut })
    if (visitor.cookie === undefined) return reply
    return { ...reply, headers: { ...reply.headers, 'set-cookie': endedSessionCookie(visitor) } }
  },
})
