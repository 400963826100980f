import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { PROGRAM } from 'pixelmill/test/pixelmill'
import { accountTotals } from '../../../test/support/account-totals.ts'
import type { Database } from '../../database/database.ts'

/** The revisions that the tools speak, and how the official client is told to. */
export const eras = { '2026-07-28': { pin: '2026-07-28' }, '2025-11-25': 'legacy' } as const

export type Era = keyof typeof eras

/** What edit_image says of one image. */
export interface Output {
  readonly output: string
  readonly format: string
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly image: { readonly handle?: string; readonly url?: string; readonly file?: string }
  readonly uri: string
  readonly expiresAt?: string
}

/** What is said of something that went wrong. */
export interface Fault {
  readonly error: string
  readonly message: string
  readonly issues?: readonly { readonly path: readonly (string | number)[] }[]
  readonly retryAfterSeconds?: number
}

type Arguments = Readonly<Record<string, unknown>>

export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** The facts of an answer. A failure fails the test. */
  call<Facts = Readonly<Record<string, unknown>>>(tool: string, params?: Arguments): Promise<Facts>
  /** What a tool says of a failure, which has to be one. */
  refusalOf(tool: string, params: Arguments): Promise<Fault>
  /** The only image of edit_image. */
  edit(image: Arguments, recipe: Arguments, more?: Arguments): Promise<Output>
}

function agentOf(client: Client): Agent {
  const ask = (name: string, params: Arguments) => client.callTool({ name, arguments: { ...params } })
  const call: Agent['call'] = async <Facts>(tool: string, params: Arguments = {}) => {
    const { structuredContent, isError, content } = await ask(tool, params)
    assert.ok(!isError, JSON.stringify(content))
    // Clients of before 2025-06-18 read the text.
    assert.deepEqual(JSON.parse(textOf(content)), structuredContent)
    return structuredContent as Facts
  }
  return {
    client,
    call,
    async refusalOf(tool, params) {
      const { isError, content } = await ask(tool, params)
      assert.equal(isError, true, JSON.stringify(content))
      return JSON.parse(textOf(content)) as Fault
    },
    async edit(image, recipe, more = {}) {
      const { outputs } = await call<{ outputs: readonly Output[] }>('edit_image', { image, recipe, ...more })
      const [output] = outputs
      assert.ok(output && outputs.length === 1, JSON.stringify(outputs))
      return output
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const textOf = (content: unknown): string => (content as readonly { readonly text: string }[])[0]?.text ?? ''

const clientOf = (era: Era) => new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: eras[era] } })

/** The official client, connected to POST /mcp. */
export async function agentOn(
  { url, key }: { readonly url: string; readonly key: string },
  era: Era = '2026-07-28',
): Promise<Agent> {
  const client = clientOf(era)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return agentOf(client)
}

/** The official client, with `pixelmill mcp` for the files of a folder. */
export async function localAgent(root: string, era: Era = '2026-07-28'): Promise<Agent> {
  const client = clientOf(era)
  const args = [PROGRAM, 'mcp', '--root', root]
  const env = { PATH: process.env.PATH ?? '', RENDERERS: '1' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  return agentOf(client)
}

/** The bytes of a result, as an agent's program gets them. */
export async function bytesOf({ uri }: Pick<Output, 'uri'>, key: string): Promise<Buffer> {
  const answer = await fetch(uri, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, uri)
  return Buffer.from(await answer.arrayBuffer())
}

/** A file that is sent ahead; its handle. */
export async function upload({ url, key }: { readonly url: string; readonly key: string }, bytes: Buffer, type = 'image/png') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const answer = await fetch(`${url}/api/v3/uploads`, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  const text = await answer.text()
  assert.equal(answer.status, 201, text)
  return (JSON.parse(text) as { readonly handle: string }).handle
}

/** Calls that the account has paid for; none may be open. */
export async function callsOf(database: Database, account: string): Promise<number> {
  const { used, open } = await accountTotals(database, account)
  assert.equal(open, 0, 'a reservation is open')
  return used
}
