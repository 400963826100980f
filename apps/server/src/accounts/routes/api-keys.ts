import { z } from 'zod'
import { scopeList, USUAL_SCOPES } from '../../contract/scopes.ts'
import { actorOf, loginOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { keyEntry, listKeys, makeKey, renameKey, revokeKey } from '../api-keys.ts'
import { keyName } from '../names.ts'

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api/user/api-keys',
  name: 'listApiKeys',
  tag: 'Account',
  summary: 'List the API keys that are not revoked, newest first.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.array(keyEntry),
  errors: [],
  async handle({ visitor, services: { database } }) {
    return jsonReply(await listKeys(database.kysely, loginOf(visitor).user.id))
  },
})

export const makeApiKey = defineRoute({
  method: 'POST',
  path: '/api/user/api-keys',
  name: 'makeApiKey',
  tag: 'Account',
  summary: 'Create an API key. Only this response contains the key.',
  description: 'Its scopes cannot be changed later, and no key can create another: that needs a sign-in.',
  admission: 'login',
  json: z.strictObject({ name: keyName, scopes: scopeList.default([...USUAL_SCOPES]) }),
  success: 201,
  produces: ['application/json'],
  answer: keyEntry.extend({ key: z.string().describe('`sk_` and 48 letters and digits.') }),
  errors: ['too_many_api_keys'],
  async handle(call) {
    const { body, visitor, services } = call
    return jsonReply(await makeKey(services.database.kysely, actorOf(call), loginOf(visitor).user.id, body))
  },
})

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
  summary: 'Revoke an API key. It stops working at once, on every server.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({ deleted: z.boolean().describe('Always true.') }),
  errors: ['not_found'],
  async handle(call) {
    const { path, visitor, services } = call
    await revokeKey(services.database.kysely, actorOf(call), loginOf(visitor).user.id, path.id ?? '')
    return jsonReply({ deleted: true })
  },
})
