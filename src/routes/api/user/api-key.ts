import { z } from 'zod'
import { keyEntry, renameKey, revokeKey } from '../../../accounts/key-list.ts'
import { keyName } from '../../../accounts/names.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { loginOf } from '../login-of.ts'

export const renameApiKey = defineRoute({
  method: 'PATCH',
  path: '/api/user/api-keys/:id',
  name: 'renameApiKey',
  tag: 'Account',
  summary: 'Rename an API key.',
  admission: 'login',
  json: z.strictObject({ name: keyName }),
  produces: ['application/json'],
  answer: keyEntry,
  errors: ['not_found'],
  async handle({ body, path, visitor, services: { database } }) {
    return jsonReply(await renameKey(database.kysely, loginOf(visitor).user.id, path.id ?? '', body.name))
  },
})

export const revokeApiKey = defineRoute({
  method: 'DELETE',
  path: '/api/user/api-keys/:id',
  name: 'revokeApiKey',
  tag: 'Account',
  summary: 'Revoke an API key: its next call is refused, on every server.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({ deleted: z.literal(true) }),
  errors: ['not_found'],
  async handle(call) {
    const { path, visitor, services } = call
    await revokeKey(services.database.kysely, actorOf(call), loginOf(visitor).user.id, path.id ?? '')
    return jsonReply({ deleted: true })
  },
})
