import { z } from 'zod'
import { actorOf, loginOf } from '../../http/caller.ts'
import { cursor, limit, nextCursor } from '../../http/paging.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { listDeliveries, redeliver, webhookDelivery } from '../list-deliveries.ts'
import { rotateSecret, showSecret, webhookSecret } from '../signing.ts'

export const showWebhookSecret = defineRoute({
  method: 'GET',
  path: '/api/user/webhook-secret',
  name: 'showWebhookSecret',
  tag: 'Webhooks',
  summary: 'Show the secret that signs webhooks.',
  description: 'Webhooks follow the standard at standardwebhooks.com; its libraries accept the secret as returned.',
  admission: 'login',
  produces: ['application/json'],
  answer: webhookSecret,
  errors: [],
  async handle({ visitor, services: { database } }) {
    return jsonReply(await showSecret(database.kysely, loginOf(visitor).user.id))
  },
})

export const rotateWebhookSecret = defineRoute({
  method: 'PUT',
  path: '/api/user/webhook-secret',
  name: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Create a new secret. For 24 hours webhooks are signed with the old secret as well.',
  description: 'Takes no body. A secret that was replaced earlier stops signing at once.',
  admission: 'login',
  produces: ['application/json'],
  answer: webhookSecret,
  errors: [],
  async handle(call) {
    const { visitor, services } = call
    return jsonReply(await rotateSecret(services.database.kysely, actorOf(call), loginOf(visitor).user.id))
  },
})

export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/api/user/webhook-deliveries',
  name: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'List the webhooks of the last 30 days with their attempts, newest first.',
  admission: 'login',
  query: z.object({
    batch: z.uuid().optional().describe('Only webhooks of this batch.'),
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
  summary: 'Redeliver a webhook with the same id and body.',
  description:
    'Works in any state; the attempt starts within seconds. Limit: ten a minute for each account. Has no effect while an attempt is in progress.',
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
