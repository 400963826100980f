import { z } from 'zod'
import { email } from '../../../accounts/email.ts'
import { personName } from '../../../accounts/names.ts'
import { newPassword } from '../../../accounts/password-text.ts'
import { signUp as makeAccount } from '../../../accounts/sign-up.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { signedIn, signedInHeaders, signedInReply } from './signed-in.ts'

export const signUp = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-up',
  name: 'signUp',
  tag: 'Account',
  summary: 'Make an account on the plan DEFAULT_PLAN, and sign in to it.',
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
    const wanted = { ...call.body, plan: config.DEFAULT_PLAN, perHour: config.SIGN_UPS_PER_HOUR, userAgent }
    return signedInReply(call.visitor, await makeAccount(database.kysely, passwords, actorOf(call), wanted))
  },
})
