import { randomUUID } from 'node:crypto'
import { issueLoginToken } from '../../src/accounts/login-tokens.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { EMBEDDED_USER, socketFolder } from '../../src/database/embedded/address.ts'
import { openServerDatabase } from './accounts.ts'
import type { ErrorBody } from './call.ts'
import { TARGETS } from './database-targets.ts'
import { type FakeSession, type FakeStripe, startFakeStripe } from './fake-stripe.ts'
import { type Server, startServer } from './server.ts'
import { deliver, type StripeEvent } from './stripe-events.ts'

export const WEBHOOK_SECRET = 'whsec_standin'

export interface Buyer {
  readonly id: string
  readonly email: string
  readonly token: string
}

export interface CheckoutAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly url?: string } & Partial<ErrorBody>
}

/** A server that sells credits through a fake Stripe. */
export interface Shop extends AsyncDisposable {
  readonly stripe: FakeStripe
  readonly server: Server
  readonly database: Database
  /** Another server process on the same database, where these settings differ. */
  another(settings?: Readonly<Record<string, string>>): Promise<Server>
  buyer(): Promise<Buyer>
  checkout(
    buyer: Buyer,
    init?: { packageId?: string; key?: string; server?: Pick<Server, 'url'>; signal?: AbortSignal },
  ): Promise<CheckoutAnswer>
  /** A checkout that must succeed, as the stand-in sees it. */
  session(buyer: Buyer, packageId?: string): Promise<FakeSession>
  /** Sends an event and answers the status that Stripe would see. */
  send(event: StripeEvent, server?: Pick<Server, 'url'>): Promise<number>
  /** The account's credits from GET /api/user, after checking that its ledger adds up to them. */
  credits(buyer: Buyer): Promise<number>
}

type Target = (typeof TARGETS)[number]['name']

export async function openShop(target: Target, settings: Readonly<Record<string, string>> = {}): Promise<Shop> {
  const stack = new AsyncDisposableStack()
  const stripe = stack.use(await startFakeStripe())
  const foundValue = target === 'embedded' ? undefined : await TARGETS[1].start({ after: (clean) => stack.defer(clean as never) })
  const selling = {
    STRIPE_SECRET_KEY: stripe.key,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    RENDERERS: '1',
    ...settings,
  }
  const server = stack.use(
    await startServer({ ...selling, ...(foundValue && 'url' in foundValue && { DATABASE_URL: foundValue.url }) }),
  )
  const url = foundValue && 'url' in foundValue ? foundValue.url : addressOf(server.dir)
  const database = foundValue ? await openDatabase(foundValue, () => {}) : await openServerDatabase(server.dir)
  stack.defer(() => database.close())
  return {
    ...shopOf(stripe, server, database),
    server,
    another: async (own = {}) => stack.use(await startServer({ ...selling, DATABASE_URL: url, ...own })),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The embedded PostgreSQL of a running server, as the DATABASE_URL of another server. */
const addressOf = (dir: string): string =>
  `postgres://${EMBEDDED_USER}@localhost/postgres?host=${encodeURIComponent(socketFolder(dir))}`

/** Checkouts, events and balances of a server that is already running. */
export function shopOf(
  stripe: FakeStripe,
  first: Pick<Server, 'url'>,
  database: Database,
): Omit<Shop, 'server' | 'another' | typeof Symbol.asyncDispose> {
  const checkout: Shop['checkout'] = async ({ token }, { packageId = 'starter', key, server = first, signal } = {}) => {
    const response = await fetch(`${server.url}/api/user/credits/checkout`, {
      method: 'POST',
      ...(signal && { signal }),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ packageId }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as CheckoutAnswer['body'] }
  }
  return {
    stripe,
    database,
    checkout,
    async buyer() {
      const email = `${randomUUID()}@example.com`
      const values = { email, password_hash: '-' }
      const { id } = await database.kysely.insertInto('account').values(values).returning('id').executeTakeFirstOrThrow()
      const issuedValue = await issueLoginToken(database.kysely, id, '-')
      return { id, email, token: issuedValue?.token ?? '' }
    },
    async session(buyer, packageId = 'starter') {
      const { body } = await checkout(buyer, { packageId })
      const session = stripe.sessions.find(({ url }) => url === body.url)
      if (!session) throw new Error(`no session was made: ${JSON.stringify(body)}`)
      return session
    },
    send: async (event, server = first) => (await deliver(server.url, event, WEBHOOK_SECRET)).status,
    async credits({ id, token }) {
      const response = await fetch(`${first.url}/api/user`, { headers: { authorization: `Bearer ${token}` } })
      const { credits } = (await response.json()) as { credits: number }
      const ledger = await database.pool.query(
        'select coalesce(sum(credits), 0)::int as sum from credit_entry where account_id = $1',
        [id],
      )
      if (ledger.rows[0]?.sum !== credits) throw new Error(`${credits} credits, but the ledger says ${ledger.rows[0]?.sum}`)
      return credits
    },
  }
}
