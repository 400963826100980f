import { solid } from '@pixelmill/codecs/test/support/pictures'
import type { PlanName } from '../../src/contract/plans.ts'
import type { Database } from '../../src/database/database.ts'
import { makeAccount, makeLogin, openServerDatabase } from './accounts.ts'
import { type FakeVision, type Habit, startFakeVision } from './fake-vision.ts'
import { type JsonAnswer, send } from './json-call.ts'
import { type Server, startServer } from './server.ts'
import { type Lent, type SharedServer, shareServer } from './shared-server.ts'

export const OPERATOR_KEY = 'sk-operator-canary'

/** A server that has a model, and calls of it. */
export interface SharedAiServer extends Lent {
  readonly model: FakeVision
  readonly database: Database
  [Symbol.asyncDispose](): Promise<void>
  /** Calls an AI endpoint; by default with the key of the administrator. */
  ask<Body = Record<string, unknown>>(endpoint: string, body: unknown, token?: string): Promise<JsonAnswer<Body>>
  /** A login token of a new account. */
  signedIn(plan?: PlanName): Promise<string>
  /** A model of this name on the same model server, as a caller's own. */
  ownModel(model: string): { readonly userProvider: Readonly<Record<string, string>> }
}

export type AiServer = SharedAiServer & Server

type Habits = Readonly<Record<string, Habit>>

const withModel = (url: string) => ({
  AI_BASE_URL: url,
  AI_MODEL: 'platform',
  AI_API_KEY: OPERATOR_KEY,
  EGRESS_ALLOW: '127.0.0.1',
})

/** A server of one file of tests, whose operator's model is `platform` on a model server of the tests. */
export async function startAiServer(habits: Habits, settings: Readonly<Record<string, string>> = {}): Promise<AiServer> {
  const model = await startFakeVision(habits)
  const server = await startServer({ ...withModel(model.url), ...settings })
  return { ...server, ...(await calling(server, model)) }
}

/** The same for files of tests that share a server in turn, with these settings. */
export async function shareAiServer(habits: Habits): Promise<SharedAiServer> {
  const [model, server] = await shareServerOf((port) => startFakeVision(habits, port))
  return { ...server, ...(await calling(server, model)) }
}

/**
 * Ports of model servers. Files that run at the same time take different ones; files that run one after the other take the same, so that
 * the settings of their servers are equal and they can share one. They are below those that Linux gives to clients.
 */
const PORTS = [21_417, 21_418, 21_419, 21_420, 21_421, 21_422] as const

/** A shared server with default settings, but for its model. */
export async function shareServerOf<Model extends { readonly url: string }>(
  startModel: (port: number) => Promise<Model>,
): Promise<readonly [Model, SharedServer]> {
  for (const port of [...PORTS, 0]) {
    const model = await startModel(port).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
    })
    if (!model) continue
    const settings = { AI_TIMEOUT_S: '5', AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only', RENDERERS: '1' }
    return [model, await shareServer({ ...withModel(model.url), ...settings })]
  }
  throw new Error('no port is free')
}

async function calling(server: SharedServer, model: FakeVision): Promise<Omit<SharedAiServer, keyof Lent>> {
  const database = await openServerDatabase(server.dir)
  return {
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
export const damagedText = dataUri(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200, 7)]))
