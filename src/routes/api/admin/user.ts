import { z } from 'zod'
import { changeAccount } from '../../../accounts/change-account.ts'
import { managedAccount } from '../../../accounts/managed-account.ts'
import { newPassword } from '../../../accounts/password-text.ts'
import { planNames } from '../../../contract/plans.ts'
import { roles } from '../../../contract/roles.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { accountIdOf } from './account-id.ts'

const change = z
  .strictObject({
    plan: z.enum(planNames).optional().describe('Counts from the next call on.'),
    role: z.enum(roles).optional(),
    disabled: z.boolean().optional().describe('True ends all sessions and refuses all keys; false lets the keys in again.'),
    password: newPassword.optional().describe('For one that was forgotten; it ends all sessions.'),
  })
  .refine((fields) => Object.values(fields).some((value) => value !== undefined), 'Send at least one field to change.')
  .meta({ minProperties: 1 })

export const changeAnyUser = defineRoute({
  method: 'PATCH',
  path: '/api/admin/users/:id',
  name: 'changeAnyUser',
  tag: 'Administration',
  summary: 'Change the plan, role, state or password of an account.',
  description: 'What is absent stays as it is. Every change goes into the audit log, with what was there before.',
  admission: 'admin',
  json: change,
  produces: ['application/json'],
  answer: managedAccount,
  errors: ['not_found', 'last_administrator', 'server_busy'],
  async handle(call) {
    const { database, passwords } = call.services
    return jsonReply(await changeAccount(database.kysely, passwords, actorOf(call), accountIdOf(call), call.body))
  },
})
