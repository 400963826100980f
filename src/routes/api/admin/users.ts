import { z } from 'zod'
import { addAccount } from '../../../accounts/add-account.ts'
import { email } from '../../../accounts/email.ts'
import { listAccounts } from '../../../accounts/list-accounts.ts'
import { managedAccount } from '../../../accounts/managed-account.ts'
import { personName } from '../../../accounts/names.ts'
import { newPassword } from '../../../accounts/password-text.ts'
import { planNames } from '../../../contract/plans.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { cursor, limit, nextCursor } from './paging.ts'

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/admin/users',
  name: 'listUsers',
  tag: 'Administration',
  summary: 'List accounts, newest first.',
  admission: 'admin',
  query: z.object({
    query: z.string().max(100).optional().describe('A part of the e-mail address or of the name, in either case.'),
    cursor,
    limit,
  }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(managedAccount), nextCursor }),
  errors: [],
  handle: async ({ services, query }) => jsonReply(await listAccounts(services.database.kysely, query)),
})

export const addUser = defineRoute({
  method: 'POST',
  path: '/api/admin/users',
  name: 'addUser',
  tag: 'Administration',
  summary: 'Make an account for somebody.',
  description: 'Also where `SIGN_UP` is closed. Tell them the password; they can change it.',
  admission: 'admin',
  json: z.strictObject({ email, password: newPassword, name: personName.default(''), plan: z.enum(planNames).default('free') }),
  success: 201,
  produces: ['application/json'],
  answer: managedAccount,
  errors: ['email_taken', 'server_busy'],
  async handle(call) {
    const { database, passwords } = call.services
    return jsonReply(await addAccount(database.kysely, passwords, actorOf(call), call.body))
  },
})
