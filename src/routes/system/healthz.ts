import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { VERSION } from '../../version.ts'

export const healthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  name: 'healthz',
  tag: 'System',
  summary: 'Whether the process lives.',
  admission: 'open',
  produces: ['application/json'],
  errors: [],
  handle: () => jsonReply({ status: 'ok', version: VERSION }),
})
