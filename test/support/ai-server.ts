import type { PlanName } from '../../src/contract/plans.ts'
import type { Database } from '../../src/database/database.ts'
import { makeAccount, makeLogin, openServerDatabase } from './accounts.ts'
import { type FakeVision, type Habit, startFakeVision } from './fake-vision.ts'
import { type JsonAnswer, send } from './json-call.ts'
import { solid } from './pictures.ts'
import { type Server, startServer } from './server.ts'

export const OPERATOR_KEY = 'sk-operator-canary'

export interface AiServer extends Server {
  readonly model: FakeVision
  readonly database: Database
  /** Calls an AI endpoint, with the first administrator's key unless another is given. */
  ask<Body = Record<string, unknown>>(endpoint: string, body: unknown, token?: string): Promise<JsonAnswer<Body>>
  /** A login token of a new account. */
  signedIn(plan?: PlanName): Promise<string>
  /** A model of this name on the same server, sent as the caller's own. */
  ownModel(model: string): { readonly userProvider: Readonly<Record<string, string>> }
}

/** A server whose platform model is `platform`, served by the test. */
export async function startAiServer(
  habits: Readonly<Record<string, Habit>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<AiServer> {
  const model = await startFakeVision(habits)
  const ai = { AI_BASE_URL: model.url, AI_MODEL: 'platform', AI_API_KEY: OPERATOR_KEY, EGRESS_ALLOW: '127.0.0.1' }
  const server = await startServer({ ...ai, ...settings })
  const database = await openServerDatabase(server.dir)
  return {
    ...server,
    model,
    database,
    ask: (endpoint, body, token = server.key) => send(server.url, `POST /v1/ai/${endpoint}`, { body, token }),
    signedIn: async (plan = 'free') => makeLogin(database, (await makeAccount(database, plan)).id),
    ownModel: (name) => ({ userProvider: { baseUrl: model.url, model: name, apiKey: 'sk-own-canary' } }),
    async [Symbol.asyncDispose]() {
      await database.close()
      await server[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

export const dataUri = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`

/** A small picture of one colour. */
export const picture = async (colour: string): Promise<string> => dataUri(await solid(32, 24, colour).png().toBuffer())

/** A picture that cannot be decoded, though its signature is valid. */
export const damaged = dataUri(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200, 7)]))
