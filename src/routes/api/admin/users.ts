import { z } from 'zod'
import { listAccounts } from '../../../accounts/list-accounts.ts'
import { managedAccount } from '../../../accounts/managed-account.ts'
import { jsonReply } from '../../../http/json-reply.ts'
import { defineRoute } from '../../../http/route.ts'
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
