import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { API_KEY } from './accounts/api-keys.ts'
import { email } from './accounts/email.ts'
import { newPassword } from './accounts/password-text.ts'
import { creditPackages, DEFAULT_PACKAGES } from './billing/packages.ts'
import { heicWriters } from './codecs/heic/writers.ts'
import { limits } from './contract/limits.ts'
import { origin } from './contract/origin.ts'
import { StartError } from './contract/start-error.ts'
import { parseAllowList } from './outbound/allow-list.ts'

export interface Setting {
  readonly schema: z.ZodType
  /** For the documentation: what holds when it is not set. */
  readonly otherwise: string
  readonly description: string
  readonly secret?: boolean
}

const WHOLE = /^\d+$/
const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => WHOLE.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number)
/** As the API takes it, in the words of a setting. */
const likeApi = <Schema extends z.ZodType<string, string>>(schema: Schema, words: string) =>
  z
    .string()
    .refine((text) => schema.safeParse(text).success, words)
    .pipe(schema)

const cores = availableParallelism()
/** @throws what `read` throws becomes the fault of the setting */
const readAs =
  <Value>(read: (text: string) => Value) =>
  (text: string, context: z.RefinementCtx): Value => {
    try {
      return read(text)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error))
      return z.NEVER
    }
  }
const SWITCH = ['on', 'off'] as const
const SIGN_UP = ['open', 'closed'] as const
const PROXY_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']
const PREFIX = /^\d{1,3}$/

/** A name, an address, or a network such as 10.0.0.0/8. */
function isProxy(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  if (!longest || address.includes('%') || rest.length > 0) return PROXY_NAMES.includes(text)
  return prefix === undefined || (PREFIX.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest)
}
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Every setting: an environment variable, read here and nowhere else. docs/configuration.md and .env.example are made from this table. */
export const settings = {
  HOST: {
    schema: z.string().default('127.0.0.1'),
    otherwise: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for every interface.',
  },
  PORT: { schema: whole(0, 65_535).default(3000), otherwise: '3000', description: 'Port to listen on; 0 takes a free one.' },
  DATA_DIR: { schema: z.string().default('./data'), otherwise: './data', description: 'Folder for everything the server keeps.' },
  DATABASE_URL: {
    schema: z.string().optional(),
    otherwise: 'a private PostgreSQL under DATA_DIR',
    description: 'Use this PostgreSQL (15 or newer) instead: postgres://user:password@host:5432/database.',
    secret: true,
  },
  S3_BUCKET: {
    schema: z.string().optional(),
    otherwise: 'files are kept in a folder under DATA_DIR',
    description: 'Keep files in this bucket of an S3 server instead; docs/storage.md has the rights that the key needs.',
  },
  S3_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an address as https://host:port' }).optional(),
    otherwise: 'Amazon S3 in S3_REGION',
    description: 'Address of the S3 server.',
  },
  S3_REGION: { schema: z.string().default('us-east-1'), otherwise: 'us-east-1', description: 'Region of the bucket.' },
  S3_ACCESS_KEY_ID: {
    schema: z.string().optional(),
    otherwise: 'needed with S3_BUCKET',
    description: 'The key that may use the bucket.',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string().optional(),
    otherwise: 'needed with S3_BUCKET',
    description: 'The secret of that key.',
    secret: true,
  },
  ADMIN_EMAIL: {
    schema: likeApi(email, 'must be an e-mail address').default('admin@localhost.local'),
    otherwise: 'admin@localhost.local',
    description: 'E-mail address of the first administrator, made when the database is empty.',
  },
  ADMIN_PASSWORD: {
    schema: likeApi(newPassword, `must have ${limits.passwordLength.min} to ${limits.passwordLength.max} characters`).optional(),
    otherwise: 'generated and printed once',
    description: "The first administrator's password.",
    secret: true,
  },
  ADMIN_API_KEY: {
    schema: z.string().regex(API_KEY, 'must be sk_ followed by 48 letters and digits').optional(),
    otherwise: 'generated and printed once',
    description: "The first administrator's API key.",
    secret: true,
  },
  SIGN_UP: {
    schema: z.enum(SIGN_UP, `must be one of ${SIGN_UP.join(', ')}`).default('open'),
    otherwise: 'open',
    description: 'Whether anybody may make an account: open, or closed, where only administrators do.',
  },
  TRUSTED_PROXIES: {
    schema: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((proxy) => proxy.trim())
          .filter(Boolean),
      )
      .refine(
        (proxies) => proxies.every(isProxy),
        `must be addresses, networks (10.0.0.0/8) or ${PROXY_NAMES.join(', ')}, with commas between`,
      ),
    otherwise: 'none',
    description:
      'Proxies whose X-Forwarded-For, -Proto and -Host are believed: addresses, networks (10.0.0.0/8) or loopback, linklocal, uniquelocal, with commas between. Without it everybody behind a proxy is one client.',
  },
  RENDERERS: {
    schema: whole(1, 256).default(cores),
    otherwise: 'the number of cores',
    description: 'Renderer processes, and so images worked on at once.',
  },
  RENDER_QUEUE: {
    schema: whole(1, 10_000).default(64),
    otherwise: '64',
    description: 'Images that may wait for a renderer; beyond that the answer is server_busy.',
  },
  RENDER_TIMEOUT_S: {
    schema: whole(1, 3_600).default(60),
    otherwise: '60',
    description: 'Seconds that one image may take; beyond that the answer is conversion_failed.',
  },
  RENDER_MEMORY_MB: {
    schema: whole(1_024, 65_536).default(3_072),
    otherwise: '3072',
    description:
      'Mebibytes of private memory that one renderer may have (Linux); an 80-megapixel AVIF takes 2,500, Node itself reserves 600.',
  },
  HEIC: {
    schema: z.enum(SWITCH, `must be one of ${SWITCH.join(', ')}`).default('on'),
    otherwise: 'on',
    description: 'Whether HEIC images are accepted; off where the patents on HEVC forbid it.',
  },
  HEIC_WRITER: {
    schema: z.enum(['auto', ...heicWriters], `must be one of auto, ${heicWriters.join(', ')}`).default('auto'),
    otherwise: 'auto: heif-enc if it is on the PATH, else elheif',
    description:
      'What writes HEIC: heif-enc honours the quality, elheif needs no program and has one quality; with none, JPEG is sent instead, or PNG for transparency.',
  },
  BURST_PER_MINUTE: {
    schema: whole(0, 100_000).default(limits.burstPerMinute),
    otherwise: String(limits.burstPerMinute),
    description: 'Requests that one API key may start in any 60 seconds; 0 switches the limit off.',
  },
  UPLOAD_TIMEOUT_S: {
    schema: whole(1, 3_600).default(60),
    otherwise: '60',
    description: 'Seconds in which a request body must arrive.',
  },
  PUBLIC_URL: {
    schema: origin('https', 'http').optional(),
    otherwise: 'the address that the browser asked',
    description: 'Where browsers reach the service, as https://images.example.com; Stripe sends buyers back there.',
  },
  EGRESS_ALLOW: {
    schema: z.string().default('').transform(readAs(parseAllowList)),
    otherwise: 'public addresses only',
    description:
      'Private addresses that webhooks and AI servers of callers may have: names, IP addresses or networks, each with a port or without, such as hooks.lan,127.0.0.1:11434,10.20.0.0/16.',
  },
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^[sr]k_(test|live)_\w+$/, 'must be a secret or restricted key of Stripe, sk_… or rk_…')
      .optional(),
    otherwise: 'credits are not sold; the administrator grants them',
    description: 'Sell credits through Stripe; see docs/billing.md.',
    secret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z
      .string()
      .regex(/^whsec_\S+$/, 'must be the signing secret of an endpoint at Stripe, whsec_…')
      .optional(),
    otherwise: 'needed with STRIPE_SECRET_KEY',
    description: "Signing secret of the endpoint at Stripe that sends events to this service's /api/stripe/webhook.",
    secret: true,
  },
  STRIPE_API_BASE: {
    schema: origin('https').default('https://api.stripe.com'),
    otherwise: 'https://api.stripe.com',
    description: 'Where Stripe is reached, for proxies and tests; http only on this machine.',
  },
  CREDIT_PACKAGES: {
    schema: creditPackages.prefault(DEFAULT_PACKAGES),
    otherwise: DEFAULT_PACKAGES,
    description: 'What is sold, as id=credits@price with the currency; the first is shown first.',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    otherwise: 'info',
    description: 'What is logged, as JSON lines on standard output: debug, info, warn, error or silent.',
  },
} as const satisfies Record<string, Setting>

export type Config = { readonly [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> }

/** Settings that make no sense alone. */
const together = [['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']] as const satisfies readonly (readonly (keyof Config)[])[]

/**
 * Reads every setting; a blank one counts as not set.
 * @throws StartError naming the first that is wrong; its value is not repeated, since it may be a secret
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = Object.entries(settings).map(([name, { schema }]) => {
    const text = environment[name]?.trim()
    const result = schema.safeParse(text === '' ? undefined : text)
    if (!result.success)
      throw new StartError(`${name} ${result.error.issues[0]?.message ?? 'is wrong'}. See docs/configuration.md.`)
    return [name, result.data] as const
  })
  // Each value was parsed by the schema of its own row, from which the type is made.
  const config = Object.fromEntries(read) as unknown as Config
  for (const names of together) {
    const missing = names.filter((name) => config[name] === undefined)
    if (missing.length > 0 && missing.length < names.length)
      throw new StartError(
        `${missing.join(' and ')} must be set too: ${names.join(' and ')} belong together. See docs/configuration.md.`,
      )
  }
  return config
}
