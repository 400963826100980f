import { z } from 'zod'
import { changeUser as change } from '../../../accounts/change-user.ts'
import { email } from '../../../accounts/email.ts'
import { personName } from '../../../accounts/names.ts'
import { newPassword, typedPassword } from '../../../accounts/password-text.ts'
import { user } from '../../../accounts/user.ts'
import { jsonReply } from '../../../http/json-reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { loginOf } from '../login-of.ts'

export const showUser = defineRoute({
  method: 'GET',
  path: '/api/user',
  name: 'showUser',
  tag: 'Account',
  summary: 'Show who is signed in.',
  admission: 'login',
  produces: ['application/json'],
  answer: user,
  errors: [],
  handle: ({ visitor }) => jsonReply(loginOf(visitor).user),
})

export const changeUser = defineRoute({
  method: 'PATCH',
  path: '/api/user',
  name: 'changeUser',
  tag: 'Account',
  summary: 'Change name, e-mail address or password. A new password ends all other sign-ins.',
  admission: 'login',
  json: z.object({
    name: personName.optional(),
    email: email.optional(),
    password: newPassword.optional(),
    currentPassword: typedPassword.optional().describe('Needed for a change of e-mail address or password.'),
  }),
  produces: ['application/json'],
  answer: user,
  errors: ['invalid_credentials', 'email_taken', 'rate_limited', 'server_busy'],
  async handle(call) {
    const { config, database, passwords } = call.services
    const changes = { ...call.body, perHour: config.SIGN_UPS_PER_HOUR }
    return jsonReply(await change(database.kysely, passwords, loginOf(call.visitor), actorOf(call), changes))
  },
})
