import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { managedAccount } from '../accounts/account.ts'
import { auditEntry, listAudit } from '../accounts/audit.ts'
import { changeAccount } from '../accounts/change-account.ts'
import { email } from '../accounts/email.ts'
import { grantCredits as grant } from '../accounts/grant-credits.ts'
import { addAccount, listAccounts } from '../accounts/manage-accounts.ts'
import { personName } from '../accounts/names.ts'
import { newPassword } from '../accounts/password-text.ts'
import { ApiError } from '../contract/api-error.ts'
import { planNames, roles } from '../contract/plans.ts'
import { actorOf } from '../http/caller.ts'
import { cursor, limit, nextCursor } from '../http/paging.ts'
import { jsonReply } from '../http/reply.ts'
import { type Call, defineRoute } from '../http/route.ts'
import { IDEMPOTENCY_KEY, parseIdempotencyKey } from '../idempotency/key.ts'

/**
 * The account id in the path.
 * @throws ApiError not_found for a malformed id, as for an unknown one
 */
export function accountIdOf({ path }: Call): string {
  const { success, data } = z.uuid().safeParse(path.id)
  if (success) return data
  throw new ApiError('not_found', { message: 'There is no such account.' })
}

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/admin/users',
  name: 'listUsers',
  tag: 'Administration',
  summary: 'List accounts, newest first.',
  admission: 'admin',
  query: z.object({
    query: z.string().max(100).optional().describe('Part of the e-mail address or the name; case is ignored.'),
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
  summary: 'Create an account for another user.',
  description: 'Works even if `SIGN_UP` is closed. The owner can change the password.',
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

/** As DELIVERY_FOLDERS and DELIVERY_BUCKETS have them. */
const deliveryPlace = z
  .string()
  .max(limits.delivery.pathBytes)
  .regex(/^(?:(?:[A-Za-z]:)?[/\\]|[a-z0-9])[^\p{Cc}]*$/u, 'Must be an absolute path, or a bucket like photos or media/public.')
  .overwrite((text) => text.replace(/(?<=.)\/$/, ''))

const change = z
  .strictObject({
    plan: z.enum(planNames).optional().describe('Takes effect with the next call.'),
    role: z.enum(roles).optional(),
    disabled: z.boolean().optional().describe('True ends all sessions and refuses all keys; false accepts the keys again.'),
    deliveryPlaces: z
      .array(deliveryPlace)
      .max(100)
      .optional()
      .describe(
        'Folders and buckets of the operator, or below them, from which the account may deliver. Administrators need no grant.',
      ),
    password: newPassword.optional().describe('Replaces a forgotten password; ends all sessions.'),
  })
  .refine((fields) => Object.values(fields).some((value) => value !== undefined), 'Send at least one field to change.')
  .meta({ minProperties: 1 })

export const changeAnyUser = defineRoute({
  method: 'PATCH',
  path: '/api/admin/users/:id',
  name: 'changeAnyUser',
  tag: 'Administration',
  summary: 'Change the plan, role, state, password or delivery places of an account.',
  description: 'Absent fields stay unchanged. Every change is recorded in the audit log with the old value.',
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

const MOST_CREDITS = 1_000_000_000

export const grantCredits = defineRoute({
  method: 'POST',
  path: '/api/admin/users/:id/credits',
  name: 'grantCredits',
  tag: 'Administration',
  summary: 'Grant credits to an account.',
  description: 'One credit pays for one call. A grant cannot be revoked.',
  admission: 'admin',
  idempotent: true,
  json: z.strictObject({
    credits: z.int().min(1).max(MOST_CREDITS),
    note: z.string().trim().min(1).max(500).describe('The reason, for the audit log.'),
  }),
  success: 201,
  produces: ['application/json'],
  answer: z.object({
    id: z.int().describe('Id of the ledger entry.'),
    credits: z.int(),
    balance: z.int().describe('The new balance.'),
    note: z.string(),
    at: z.iso.datetime(),
  }),
  errors: ['not_found'],
  async handle(call) {
    const key = parseIdempotencyKey(call.request.header(IDEMPOTENCY_KEY))
    return jsonReply(await grant(call.services.database.kysely, actorOf(call), accountIdOf(call), { ...call.body, key }))
  },
})

export const audit = defineRoute({
  method: 'GET',
  path: '/api/admin/audit',
  name: 'listAudit',
  tag: 'Administration',
  summary: 'Read the audit log, newest first.',
  admission: 'admin',
  query: z.object({
    account: z.uuid().optional().describe('Only entries about this account.'),
    cursor,
    limit,
  }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(auditEntry), nextCursor }),
  errors: [],
  handle: async ({ services, query }) => jsonReply(await listAudit(services.database.kysely, query)),
})
