import { z } from 'zod'
import { signOut as endSignIns } from '../../../accounts/sign-out.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { loginOf } from '../login-of.ts'
import { signedOutHeaders, signedOutReply } from './signed-in.ts'

export const signOut = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-out',
  name: 'signOut',
  tag: 'Account',
  summary: 'End this sign-in, or all of the account.',
  admission: 'login',
  json: z
    .strictObject({ everywhere: z.boolean().default(false).describe('Ends every sign-in of the account.') })
    .default({ everywhere: false }),
  produces: ['application/json'],
  answer: z.object({ signedOut: z.int().describe('Login tokens that have ended.') }),
  headers: signedOutHeaders,
  errors: [],
  async handle(call) {
    const { body, visitor, services } = call
    const signedOut = await endSignIns(services.database.kysely, actorOf(call), loginOf(visitor), body.everywhere)
    return signedOutReply(visitor, { signedOut })
  },
})
