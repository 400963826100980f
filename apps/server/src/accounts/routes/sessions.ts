import { z } from 'zod'
import { actorOf, loginOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { endOtherSessions, endSession, listSessions, session } from '../sessions.ts'

export const listOwnSessions = defineRoute({
  method: 'GET',
  path: '/api/user/sessions',
  name: 'listSessions',
  tag: 'Account',
  summary: 'List the sessions of the account, most recently used first.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.array(session),
  errors: [],
  async handle({ visitor, services: { database } }) {
    return jsonReply(await listSessions(database.kysely, loginOf(visitor)))
  },
})

export const endOwnSession = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  name: 'endSession',
  tag: 'Account',
  summary: 'End one session. It stops working at once, on every server.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({ deleted: z.boolean().describe('Always true.') }),
  errors: ['not_found'],
  async handle(call) {
    await endSession(call.services.database.kysely, actorOf(call), loginOf(call.visitor), call.path.id ?? '')
    return jsonReply({ deleted: true })
  },
})

export const endOtherOwnSessions = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions',
  name: 'endOtherSessions',
  tag: 'Account',
  summary: 'End all sessions of the account except this one.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({ signedOut: z.int().describe('Number of sessions ended.') }),
  errors: [],
  async handle(call) {
    const signedOut = await endOtherSessions(call.services.database.kysely, actorOf(call), loginOf(call.visitor))
    return jsonReply({ signedOut })
  },
})
