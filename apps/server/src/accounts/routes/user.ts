import { z } from 'zod'
import { actorOf, loginOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { user } from '../account.ts'
import { changeUser as changeOwn } from '../change-user.ts'
import { clearAccount, deleteAccount } from '../delete-account.ts'
import { email } from '../email.ts'
import { personName } from '../names.ts'
import { newPassword, typedPassword } from '../password-text.ts'
import { signedOutHeaders, signedOutReply } from './sign-in.ts'

export const showUser = defineRoute({
  method: 'GET',
  path: '/api/user',
  name: 'showUser',
  tag: 'Account',
  summary: 'Show the signed-in account.',
  admission: 'login',
  produces: ['application/json'],
  answer: user,
  errors: [],
  handle: ({ visitor }) => jsonReply(loginOf(visitor).user),
})

const change = z
  .strictObject({
    name: personName.optional(),
    email: email.optional(),
    password: newPassword.optional(),
    currentPassword: typedPassword.optional().describe('Required to change the e-mail address or the password.'),
  })
  .meta({ dependentRequired: { email: ['currentPassword'], password: ['currentPassword'] } })

export const changeUser = defineRoute({
  method: 'PATCH',
  path: '/api/user',
  name: 'changeUser',
  tag: 'Account',
  summary: 'Change name, e-mail address or password. A new password ends all other sessions.',
  admission: 'login',
  json: change,
  produces: ['application/json'],
  answer: user,
  errors: ['invalid_credentials', 'email_taken', 'rate_limited', 'server_busy'],
  async handle(call) {
    const { config, database, passwords } = call.services
    const changes = { ...call.body, perHour: config.SIGN_UPS_PER_HOUR }
    return jsonReply(await changeOwn(database.kysely, passwords, loginOf(call.visitor), actorOf(call), changes))
  },
})

export const deleteUser = defineRoute({
  method: 'DELETE',
  path: '/api/user',
  name: 'deleteUser',
  tag: 'Account',
  summary: 'Delete the account permanently, with its keys, batches, usage and remaining credits.',
  description:
    'All sessions end at once, and the e-mail address can be used for a new account. Records needed for accounting are kept without name and address: credit ledger, purchases, and audit log.',
  admission: 'login',
  json: z.strictObject({ password: typedPassword }),
  produces: ['application/json'],
  answer: z.object({ deleted: z.boolean().describe('Always true.') }),
  headers: signedOutHeaders,
  errors: ['invalid_credentials', 'last_administrator', 'rate_limited', 'server_busy'],
  async handle(call) {
    const { database, passwords } = call.services
    const login = loginOf(call.visitor)
    await deleteAccount(database.kysely, passwords, login, actorOf(call), call.body.password)
    try {
      await clearAccount(database.pool, login.user.id)
    } catch (error) {
      // The account is deleted already: housekeeping clears its data within a minute.
      call.onFault(error, 'a deleted account waits for the housekeeping')
    }
    return signedOutReply(call.visitor, { deleted: true })
  },
})
