import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { rotateSecret, showSecret, webhookSecret } from '../../../webhooks/signing.ts'
import { actorOf } from '../actor-of.ts'
import { loginOf } from '../login-of.ts'

export const showWebhookSecret = defineRoute({
  method: 'GET',
  path: '/api/user/webhook-secret',
  name: 'showWebhookSecret',
  tag: 'Webhooks',
  summary: 'Show the secret that webhooks are signed with.',
  description: 'Webhooks follow the standard at standardwebhooks.com; its libraries take the secret as it is.',
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
  summary: 'Make a new secret. For 24 hours the old one signs beside it.',
  description: 'Takes no body. The one before the old one, if it still signed, no longer does.',
  admission: 'login',
  produces: ['application/json'],
  answer: webhookSecret,
  errors: [],
  async handle(call) {
    const { visitor, services } = call
    return jsonReply(await rotateSecret(services.database.kysely, actorOf(call), loginOf(visitor).user.id))
  },
})
