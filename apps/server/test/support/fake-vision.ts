import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Listener, listen } from './listener.ts'

/** An OpenAI-compatible model server with the habits of real ones. The name of the model selects the habit. */

export interface Asked {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly strict: boolean } }
  readonly [parameter: string]: unknown
}

export interface Request {
  readonly asked: Asked
  readonly headers: IncomingHttpHeaders
  readonly path: string
}

export interface FakeVision extends Listener {
  readonly requests: readonly Request[]
}

/** What it describes in every image. */
export const seenValue = { alt: 'A red bicycle leaning on a white wall.', decorative: false, confidence: 0.9 }
export const SPENT = { inputTokens: 1_100, outputTokens: 42, totalTokens: 1_142 }
/** Appears in messages of the stand-in, and must never appear in our output. */
export const UPSTREAM_WORDS = 'sk-abcd*****wxyz'

const json = JSON.stringify(seenValue)
/** Follows the schema after repair, though half of it is missing. */
const CUT = '{"decorative":false,"confidence":0.9,"alt":"A red bic'
const usage = { prompt_tokens: 1_100, completion_tokens: 42, total_tokens: 1_142 }
const completion = (content: unknown, { finish = 'stop', ...message }: Record<string, unknown> = {}) => ({
  id: 'x',
  object: 'chat.completion',
  model: 'fake-vl',
  usage,
  choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...message } }],
})

export type Habit = (response: ServerResponse, askedValue: Asked, time: number) => void

const sends =
  (body: unknown, status = 200, headers = {}): Habit =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
export const says = (content: unknown, message = {}): Habit => sends(completion(content, message))
const fails = (status: number, message: string, more = {}, headers = {}): Habit =>
  sends({ error: { message: `${message} ${UPSTREAM_WORDS}`, ...more } }, status, headers)
const page =
  (status: number, html: string): Habit =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(html)
  }
const streams =
  (piece: Buffer, pauseMs: number): Habit =>
  async (response) => {
    while (!response.destroyed) if (!response.write(piece) || pauseMs > 0) await sleep(pauseMs || 1)
  }
/** The first habit for the first request, the second for all others. */
const then =
  (first: Habit, next: Habit): Habit =>
  (response, askedValue, time) =>
    (time === 1 ? first : next)(response, askedValue, time)
const unless =
  (takes: (askedValue: Asked) => boolean, refusal: Habit, otherwise: Habit = says(json)): Habit =>
  (...request) =>
    (takes(request[1]) ? otherwise : refusal)(...request)
const formatOf = ({ response_format }: Asked) => response_format?.type ?? 'text'

const withoutMaxTokens = fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {
  code: 'unsupported_parameter',
})
const withoutTemperature = fails(400, "Unsupported value: 'temperature' does not support 0.2 with this model.")

export const habits = {
  ok: says(json),
  fenced: says(`\`\`\`json\n${JSON.stringify(seenValue, null, 2)}\n\`\`\``),
  'fenced-in-prose': says(`Here:\n\`\`\`\n${json}\n\`\`\`\nDone.`),
  prose: says(`Sure! Here is the JSON you asked for:\n\n${json}\n\nLet me know if you need anything {else}.`),
  think: says(`<think>The user wants JSON like {"alt": "..."}.\nHmm {</think>\n\n${json}`),
  'think-unopened': says(`It is {"alt": 1}, I think.</think>${json}`),
  reasoning: says(json, { reasoning_content: 'let me think {}' }),
  'content-null': says(null, { reasoning_content: json }),
  'reasoning-field': says('', { reasoning: json }),
  'tool-call': says(null, { tool_calls: [{ function: { name: 'answer', arguments: json } }], finish: 'tool_calls' }),
  'single-quotes': says(`{'alt': 'A red bicycle leaning on a white wall.', decorative: False, "confidence": 0.9,}`),
  'curly-quotes': says(`{“alt”: “${seenValue.alt}”, “decorative”: false, “confidence”: 0.9}`),
  'missing-brace': says(json.slice(0, -1)),
  'byte-order-mark': says(`\uFEFF${json}`),
  parts: says([
    { type: 'text', text: json.slice(0, 20) },
    { type: 'text', text: json.slice(20) },
  ]),
  wrapped: says(JSON.stringify({ response: seenValue })),
  array: says(JSON.stringify([seenValue])),
  'no-usage': sends({ ...completion(json), usage: undefined }),
  'odd-usage': sends({ ...completion(json), usage: { prompt_tokens: -1, completion_tokens: '42', total_tokens: 1e300 } }),
  'model-path': sends({ ...completion(json), model: '/home/operator/models/fake-vl' }),
  'odd-model': sends({ ...completion(json), model: `<b>${UPSTREAM_WORDS}</b>` }),
  'no-schema': unless(
    (askedValue) => formatOf(askedValue) !== 'json_schema',
    fails(400, "'json_schema' is not supported", { param: 'response_format' }),
  ),
  'no-format': unless(
    (askedValue) => formatOf(askedValue) === 'text',
    fails(422, 'This response_format type is unavailable now'),
  ),
  'lm-studio': unless(
    (askedValue) => formatOf(askedValue) !== 'json_object',
    sends({ error: "'response_format.type' must be 'json_schema' or 'text'" }, 400),
  ),
  'new-parameters': unless(
    (askedValue) => !('max_tokens' in askedValue),
    withoutMaxTokens,
    unless((askedValue) => !('temperature' in askedValue), withoutTemperature),
  ),
  'once-429': then(fails(429, 'slow down', {}, { 'retry-after': '0' }), says(json)),
  'once-500': then(fails(500, 'boom'), says(json)),
  'once-cut': then(says(CUT, { finish: 'length' }), says(json)),
  'once-wrong': then(says('{"alt": 5}'), says(json)),
  'once-wrong-then-silent': then(says('{"alt": 5}'), () => {}),
  'once-empty': then(says(''), says(json)),
  'cut-off': says(CUT, { finish: 'length' }),
  empty: says(''),
  'wrong-type': says('{"alt": 5}'),
  'echoes-schema': says(JSON.stringify({ type: 'object', properties: { alt: { type: 'string' } } })),
  'no-json': says('I can see a bicycle.'),
  deep: says('{"a":'.repeat(12_000)),
  flood: says(json + ' '.repeat(512 * 1024)),
  html: page(200, '<html><h1>Welcome to nginx</h1></html>'),
  'bad-gateway': page(502, '<html><h1>Bad gateway</h1></html>'),
  'no-choices': sends({ id: 'x', choices: [] }),
  'json-null': sends(null),
  'error-200': sends({ error: { message: `provider returned error ${UPSTREAM_WORDS}`, code: 502 } }),
  'event-stream': (response) => {
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`data: ${JSON.stringify(completion(json))}\n\ndata: [DONE]\n\n`)
  },
  'no-vision': fails(400, 'Invalid content type. image_url is only supported by certain models.', {
    param: 'messages.[1].content',
  }),
  'no-projector': fails(500, 'Unsupported content part type: image_url'),
  'no-endpoint': fails(404, 'No endpoints found that support image input'),
  '401': fails(401, 'Incorrect API key provided:', { code: 'invalid_api_key' }),
  '403': fails(403, 'Forbidden'),
  'wrong-key-400': fails(400, 'API key not valid. Please pass a valid API key.'),
  '404': fails(404, 'model not found'),
  'no-model-400': fails(400, 'The model `x` does not exist', { code: 'model_not_found' }),
  '402': fails(402, 'Payment required'),
  'quota-429': fails(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
  '429': fails(429, 'Rate limit reached', {}, { 'retry-after': '7' }),
  '413': fails(413, 'Payload too large'),
  'too-long': fails(400, 'This model has a context length of 2048 tokens'),
  '503': fails(503, 'Loading model', {}, { 'retry-after': '60' }),
  '504': fails(504, 'Gateway time-out'),
  'refuses-in-words': says(`I'm sorry, but I can't help with ${UPSTREAM_WORDS}.`),
  refusal: says(null, { refusal: `I can't help with ${UPSTREAM_WORDS}.` }),
  filter: says('', { finish: 'content_filter' }),
  'filter-400': fails(400, 'The prompt was filtered', { code: 'content_filter' }),
  redirect: sends({}, 307, { location: 'http://169.254.169.254/latest/meta-data/' }),
  reset: (response) => void response.socket?.destroy(),
  silent: () => {},
  drip: streams(Buffer.from(' '), 50),
  giant: streams(Buffer.alloc(65_536, ' '), 0),
  bomb: (response) => {
    const member = gzipSync(Buffer.alloc(1024 * 1024, ' '))
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat(Array.from({ length: 64 }, () => member)))
  },
} as const satisfies Record<string, Habit>

/** The first image of a question, as bytes. */
export function imageOf({ messages }: Asked): Buffer {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const url: unknown = parts.find(({ type }) => type === 'image_url')?.image_url.url
  return Buffer.from(String(url).split(',')[1] ?? '', 'base64')
}

/**
 * @param own habits beside those that every test may use
 * @param port 0 for one that is free
 */
export async function startFakeVision(own: Readonly<Record<string, Habit>> = {}, port = 0): Promise<FakeVision> {
  const requests: Request[] = []
  const listener = await listen(
    async (request, response) => {
      const askedValue = JSON.parse((await request.toArray()).join('')) as Asked
      requests.push({ asked: askedValue, headers: request.headers, path: request.url ?? '' })
      const habit: Habit = own[askedValue.model] ?? habits[askedValue.model as keyof typeof habits]
      habit(response, askedValue, requests.filter((one) => one.asked.model === askedValue.model).length)
    },
    '127.0.0.1',
    port,
  )
  return { ...listener, url: `${listener.url}/v1`, requests }
}
