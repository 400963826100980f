import { z } from 'zod'
import { auditEntry, listAudit } from '../../../accounts/list-audit.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { cursor, limit, nextCursor } from './paging.ts'

export const audit = defineRoute({
  method: 'GET',
  path: '/api/admin/audit',
  name: 'listAudit',
  tag: 'Administration',
  summary: 'Read the audit log, newest first.',
  admission: 'admin',
  query: z.object({
    account: z.uuid().optional().describe('Only what concerns this account.'),
    cursor,
    limit,
  }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(auditEntry), nextCursor }),
  errors: [],
  handle: async ({ services, query }) => jsonReply(await listAudit(services.database.kysely, query)),
})
