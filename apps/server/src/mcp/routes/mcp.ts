import { codecs } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import { previewOr, previewRecipe } from 'pixelmill/agent-tools/preview'
import { z } from 'zod'
import { requireScope } from '../../accounts/api-keys.ts'
import { ApiError } from '../../contract/api-error.ts'
import { recipeQuery } from '../../delivery/short-query.ts'
import { sourceSigner } from '../../delivery/sources.ts'
import { type Call, defineRoute, type Reply } from '../../http/route.ts'
import { fetchImage } from '../../uploads/fetch-image.ts'
import type { ApiDoorParts } from '../api-door-parts.ts'

/** POST /mcp: the tools of an agent, by the Model Context Protocol. */
export const mcp = defineRoute({
  method: 'POST',
  path: '/mcp',
  name: 'callTool',
  tag: 'Agents',
  summary: 'Call a tool by the Model Context Protocol.',
  description:
    'Streamable HTTP without sessions, of the revisions 2026-07-28 and 2025-11-25. Tools ask other endpoints with the same credentials, which charge as usual; the call itself costs nothing. docs/mcp.md has the tools.',
  admission: 'agent',
  rawBody: 'application/json',
  rawBytes: limits.mcpBytes,
  produces: ['application/json', 'text/event-stream'],
  faults: {
    schema: z
      .object({
        jsonrpc: z.literal('2.0'),
        id: z.union([z.string(), z.number(), z.null()]).describe('Of the message, where it has one.'),
        error: z.object({ code: z.int(), message: z.string() }).loose(),
      })
      .meta(component('JsonRpcError')),
    statuses: { 400: 'It is no message.', 406: 'Accept names too little.', 415: 'It is not JSON.' },
  },
  errors: [],
  handle,
})

async function handle(call: Call): Promise<Reply> {
  const text = call.raw.toString()
  if (text.trimStart().startsWith('['))
    return refuseCode(INVALID_REQUEST, 'The protocol has no batches of messages: send one in each request.')
  if (NUL.test(text)) return refuseCode(INVALID_PARAMS, 'The message must not contain the character U+0000.')
  // Loaded at the first request, since most servers have no agents.
  const [{ createMcpHandler }, { mcpServer }, { ApiDoor }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('pixelmill/agent-tools/server'),
    import('../api-door.ts'),
  ])
  const door = new ApiDoor(partsOf(call))
  // Work that ends because the agent has gone is no fault.
  const onFault = (error: unknown) => call.signal.aborted || call.onFault(error, 'a tool failed unexpectedly')
  const server = () => mcpServer(door, onFault)
  // Nothing changes that an agent could subscribe to: a subscription is acknowledged without notifications, and ends.
  const answer = await createMcpHandler(server).fetch(requestOf(call))
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_CONNECTION.includes(name)))
  return { status: answer.status, headers, body: await answer.text() }
}

/** Refuses a message as a whole; a batch, which the protocol had until 2025-06-18, would have all its calls answered at once. */
function refuseCode(code: number, message: string): Reply {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
  return { status: 400, headers: { 'content-type': 'application/json' }, body }
}

/** JSON-RPC 2.0, §5.1. */
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

/** U+0000 in JSON, which can only have it escaped: after an even number of backslashes. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/

/** What the protocol reads of a request's head. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** What of an answer's head is for the server to decide. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding']

function requestOf(call: Call): Request {
  const { header } = call.request
  const headers = HEADERS.flatMap((name) => {
    const value = name === 'accept' ? acceptedTypes(header(name)) : header(name)
    return value === undefined ? [] : [[name, value] as [string, string]]
  })
  return new Request(addressOf(call, '/mcp'), { method: 'POST', headers, body: new Uint8Array(call.raw), signal: call.signal })
}

/** The types of answers that the client takes, by their names, as the protocol compares them: RFC 9110 §12.5.1 has ranges, and no header for any. */
const acceptedTypes = (header = '*/*'): string => ANSWER_TYPES.filter((type) => isAccepted(type, header)).join(', ')

const ANSWER_TYPES = ['application/json', 'text/event-stream'] as const

/** By the most specific range, where that has another weight than 0. */
function isAccepted(type: string, header: string): boolean {
  const ranges = header.split(',').map((range) =>
    range
      .toLowerCase()
      .split(';')
      .map((part) => part.trim()),
  )
  const [kind = ''] = type.split('/')
  const names = [type, `${kind}/*`, '*/*']
  const range = names.map((name) => ranges.find(([own]) => own === name)).find((foundTexts) => foundTexts !== undefined)
  return range !== undefined && !range.some((part) => /^q=0(?:\.0*)?$/.test(part))
}

const addressOf = ({ visitor: { secure, host = 'localhost' } }: Call, path: string): string =>
  `${secure ? 'https' : 'http'}://${host}${path}`

function partsOf(call: Call): ApiDoorParts {
  const { services, visitor, ownApi } = call
  const { account } = visitor
  if (account === undefined) throw new Error('an agent was admitted of no account')
  return {
    gone: call.signal,
    api: ownApi,
    readUpload: (handle) => services.handles.read(account, handle),
    saveUpload: (bytes, contentType) => services.handles.save(account, bytes, { contentType }),
    removeUpload: (handle) => services.handles.remove(account, handle),
    readOriginal: (source, path, signal) => services.delivery.original(account, source, path, signal),
    async fetchImage(url, signal) {
      const isOn = services.config.URL_INPUT === 'on'
      return Buffer.concat(await fetchImage(url, { outbound: services.outbound, isOn, mostBytes: limits.uploadBytes, signal }))
    },
    async deliver(source, path, recipe) {
      if (visitor.apiKeyHash) await requireScope(services.database.kysely, visitor.apiKeyHash, ['images'])
      const { followsHints, sign } = await sourceSigner(services.database.kysely, account, source)
      const url = sign(path, recipeQuery(recipe, followsHints))
      const { result } = await services.delivery.deliver(url, undefined, call.signal)
      const { format, width, height, body } = result
      if (format === 'svg')
        throw new ApiError('invalid_image_type', { message: 'The original is an SVG: ask for a width, a height or a format.' })
      return { url, format, mime: codecs[format].mime, width, height, content: body }
    },
    preview: (image, signal) =>
      previewOr(async () => {
        const params = { recipe: previewRecipe, files: [], ...acceptedBy(undefined) }
        return writtenImages(await services.pool.of(account).run('recipe', params, [[image]], signal))[0]?.bytes
      }),
    address: (path) => addressOf(call, path),
  }
}
