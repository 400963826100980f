import { z } from 'zod'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { listDeliveries, redeliver, webhookDelivery } from '../../../webhooks/list-deliveries.ts'
import { actorOf } from '../actor-of.ts'
import { cursor, limit, nextCursor } from '../admin/paging.ts'
import { loginOf } from '../login-of.ts'

export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/api/user/webhook-deliveries',
  name: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'List the webhooks of the last 30 days with their attempts, newest first.',
  admission: 'login',
  query: z.object({
    batch: z.uuid().optional().describe('Only those of this batch.'),
    cursor,
    limit,
  }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(webhookDelivery), nextCursor }),
  errors: [],
  async handle({ query, visitor, services: { database } }) {
    return jsonReply(await listDeliveries(database.pool, loginOf(visitor).user.id, query))
  },
})

export const redeliverWebhook = defineRoute({
  method: 'POST',
  path: '/api/user/webhook-deliveries/:id/redeliver',
  name: 'redeliverWebhook',
  tag: 'Webhooks',
  summary: 'Have a webhook delivered again, with the same id and body.',
  description:
    'Whatever became of it before: it is attempted within seconds. Ten a minute for an account. While an attempt is under way nothing changes.',
  admission: 'login',
  success: 202,
  produces: ['application/json'],
  answer: webhookDelivery,
  errors: ['not_found', 'rate_limited'],
  async handle(call) {
    const { path, visitor, services } = call
    return jsonReply(await redeliver(services.database, actorOf(call), loginOf(visitor).user.id, path.id ?? ''))
  },
})
