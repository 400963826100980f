import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A Checkout Session as the stand-in stores it: the request's values in the shape of Stripe's responses. */
export interface FakeSession {
  readonly id: string
  readonly object: 'checkout.session'
  readonly amount_total: number
  readonly cancel_url: string
  readonly client_reference_id: string | null
  readonly currency: string
  readonly customer_email: string | null
  readonly livemode: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly mode: 'payment'
  readonly payment_intent: string | null
  readonly payment_status: 'unpaid' | 'paid'
  readonly status: 'open' | 'complete' | 'expired'
  readonly success_url: string
  readonly url: string | null
}

/** A fault of a request: a Stripe error, an answer after half a second or never, or a broken connection. */
export type Fault = 402 | 429 | 500 | 'slow' | 'hang' | 'hang_up'

export interface FakeStripe extends AsyncDisposable {
  readonly url: string
  readonly key: string
  /** Sessions that were created, oldest first. */
  readonly sessions: readonly FakeSession[]
  /** Metadata of the payment intents of those sessions, by session. */
  readonly paymentMetadata: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** Requests received, including repeated ones. */
  requests(): number
  /** The next requests fail in this order. */
  fail(...faults: readonly Fault[]): void
}

interface KeptAnswer {
  readonly form: string
  readonly status: number
  readonly body: string
}

const errorTypes = {
  401: 'invalid_request_error',
  400: 'invalid_request_error',
  402: 'card_error',
  429: 'rate_limit_error',
} as const

const errorBody = (status: number, message: string, type?: string) =>
  JSON.stringify({ error: { type: type ?? errorTypes[status as keyof typeof errorTypes] ?? 'api_error', message } })

/** Speaks Stripe's protocol on this machine: forms in, JSON out, one answer for each idempotency key. */
export async function startFakeStripe(key = 'sk_test_standin'): Promise<FakeStripe> {
  const sessions: FakeSession[] = []
  const paymentMetadata = new Map<string, Readonly<Record<string, string>>>()
  const keptAnswers = new Map<string, KeptAnswer>()
  const faults: Fault[] = []
  let requests = 0

  function answer(form: string, fault: Fault | undefined): { readonly status: number; readonly body: string } {
    if (typeof fault === 'number') return { status: fault, body: errorBody(fault, 'As the test wanted.') }
    const fields = new URLSearchParams(form)
    const missing = ['mode', 'success_url', 'line_items[0][quantity]', `${PRICE}[currency]`, `${PRICE}[unit_amount]`].find(
      (name) => !fields.has(name),
    )
    if (missing) return { status: 400, body: errorBody(400, `Missing required param: ${missing}.`) }
    const session = sessionOf(fields, sessions.length + 1, addressOf(server))
    sessions.push(session)
    paymentMetadata.set(session.id, inBrackets(fields, 'payment_intent_data[metadata]'))
    return { status: 200, body: JSON.stringify(session) }
  }

  /** The payment page: two links back; the caller sends the event meanwhile. */
  function showCheckout(path: string, response: ServerResponse): void {
    const session = sessions.find(({ url }) => url?.endsWith(path))
    if (!session) return void response.writeHead(404).end()
    const { success_url: paidText, cancel_url: left, amount_total: amount, currency } = session
    const ways = `<a href="${paidText.replaceAll('&', '&amp;')}">Pay</a> <a href="${left}">Back</a>`
    const head = '<!doctype html><html lang="en"><title>Stand-in</title><link rel="icon" href="data:,">'
    response.setHeader('content-type', 'text/html').end(`${head}<h1>Pay ${amount} ${currency}</h1>${ways}`)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1
    const form = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const reply = ({ status, body }: { readonly status: number; readonly body: string }, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${requests}`, ...headers }).end(body)
    if (request.method === 'GET') return void showCheckout(request.url ?? '', response)
    const fault = faults.shift()
    if (fault === 'hang') return
    if (fault === 'slow') await sleep(500)
    if (fault === 'hang_up') return void request.socket.destroy()
    if (request.headers.authorization !== `Bearer ${key}`)
      return void reply({ status: 401, body: errorBody(401, 'Invalid API Key.') })
    if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
      return void reply({ status: 404, body: errorBody(404, 'Unrecognized request URL.', 'invalid_request_error') })
    // A rate limit is refused before the work and not stored; every other answer is stored, including errors.
    if (fault === 429) return void reply(answer(form, fault))
    const idempotencyKey = String(request.headers['idempotency-key'])
    const before = keptAnswers.get(idempotencyKey)
    if (before && before.form !== form)
      return void reply({ status: 400, body: errorBody(400, 'Keys for idempotent requests…', 'idempotency_error') })
    if (before) return void reply(before, { 'idempotent-replayed': 'true' })
    const madeValue = answer(form, fault)
    keptAnswers.set(idempotencyKey, { form, ...madeValue })
    reply(madeValue)
  }

  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: addressOf(server),
    key,
    sessions,
    paymentMetadata,
    requests: () => requests,
    fail: (...next) => void faults.push(...next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const PRICE = 'line_items[0][price_data]'

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function sessionOf(fields: URLSearchParams, number: number, origin: string): FakeSession {
  const id = `cs_test_${String(number).padStart(24, '0')}${process.pid}${Date.now()}`
  return {
    id,
    object: 'checkout.session',
    amount_total: Number(fields.get(`${PRICE}[unit_amount]`)) * Number(fields.get('line_items[0][quantity]')),
    cancel_url: fields.get('cancel_url') ?? '',
    client_reference_id: fields.get('client_reference_id'),
    currency: fields.get(`${PRICE}[currency]`) ?? '',
    customer_email: fields.get('customer_email'),
    livemode: false,
    metadata: inBrackets(fields, 'metadata'),
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    success_url: fields.get('success_url') ?? '',
    url: `${origin}/c/pay/${id}`,
  }
}

/** `name[a]=1&name[b]=2` → `{ a: '1', b: '2' }` */
const inBrackets = (fields: URLSearchParams, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...fields].filter(([key]) => key.startsWith(`${name}[`)).map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  )
