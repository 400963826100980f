import { isIP } from 'node:net'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { readAs, type Setting, whole } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { origin } from '../contract/origin.ts'
import { parseAllowList } from '../outbound/allow-list.ts'

const ROLES = ['all', 'api', 'worker'] as const
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const PROXY_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']
const PREFIX = /^\d{1,3}$/

/** A name, an address, or a network such as 10.0.0.0/8. */
function isProxy(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  if (!longest || address.includes('%') || rest.length > 0) return PROXY_NAMES.includes(text)
  return prefix === undefined || (PREFIX.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest)
}

/** As browsers send them, or * alone. */
const areOrigins = (all: readonly string[]): boolean =>
  all.join() === '*' || all.every((text) => URL.parse(text)?.origin === text && /^https?:/.test(text))

/** The port that OpenTelemetry's exporters for Prometheus have made usual. */
export const USUAL_METRICS_PORT = 9464

/** The role of this process, and its network. */
export const serverSettings = {
  HOST: {
    schema: z.string().default('127.0.0.1'),
    otherwise: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for every interface.',
  },
  PORT: { schema: whole(0, 65_535).default(3000), otherwise: '3000', description: 'Port to listen on; 0 takes a free one.' },
  METRICS_PORT: {
    schema: whole(0, 65_535).optional(),
    otherwise: `${USUAL_METRICS_PORT}; a free one where that is taken, or PORT is 0`,
    description:
      'Port for /metrics, /healthz and /readyz, in every role and without a credential. 0 takes a free one, which the start prints.',
  },
  METRICS_HOST: {
    schema: z.string().default('127.0.0.1'),
    otherwise: '127.0.0.1',
    description: 'Address for METRICS_PORT, for Prometheus elsewhere; 0.0.0.0 for every interface.',
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{16,512}$/, 'must have 16 to 512 characters of ASCII, without spaces')
      .optional(),
    otherwise: '/metrics is on METRICS_PORT only',
    description: 'Serves /metrics on PORT too, to requests with this token as Bearer.',
    secret: true,
  },
  ROLE: {
    schema: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`).default('all'),
    otherwise: 'all',
    description:
      'all; api only answers HTTP; worker only runs batches, webhooks and housekeeping. api and worker need DATABASE_URL.',
  },
  PUBLIC_URL: {
    schema: origin('https', 'http').optional(),
    otherwise: 'the host of the request',
    description:
      'Address of the service for browsers: Stripe sends buyers back there, and POST /mcp takes requests of its pages.',
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
      'Proxies whose X-Forwarded headers are trusted: addresses, networks (10.0.0.0/8) or loopback, linklocal, uniquelocal, with commas. Without it all clients behind a proxy count as one.',
  },
  SHUTDOWN_DELAY_S: {
    schema: whole(0, 300).default(0),
    otherwise: '0',
    description: `Seconds after SIGTERM in which new requests are still answered and /readyz is 503: as long as a load balancer takes to notice. Requests in progress then have ${limits.shutdown.requests} s.`,
  },
  UPLOAD_TIMEOUT_S: {
    schema: whole(1, 3_600).default(60),
    otherwise: '60',
    description: 'Seconds in which a request body must arrive.',
  },
  UPLOAD_MEMORY_MB: {
    schema: whole(64, 65_536).default(limits.uploadMemoryBytes / MiB),
    otherwise: String(limits.uploadMemoryBytes / MiB),
    description:
      'Mebibytes of uploaded images that this process holds at once; above that, new uploads and the longest-running ones get server_busy.',
  },
  IDLE_CONNECTIONS_PER_ADDRESS: {
    schema: whole(0, 100_000).default(limits.idleConnections),
    otherwise: String(limits.idleConnections),
    description:
      'Idle connections of one address (of IPv6 a /64); above that, those idle for longest are closed. TRUSTED_PROXIES are exempt; 0 is no limit.',
  },
  BURST_PER_MINUTE: {
    schema: whole(0, 100_000).default(limits.burstPerMinute),
    otherwise: String(limits.burstPerMinute),
    description: 'Requests that one API key may start in any 60 seconds; 0 is no limit.',
  },
  CORS_ORIGINS: {
    schema: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .refine(areOrigins, 'must be addresses without a path, such as https://shop.example,http://localhost:5173, or *'),
    otherwise: 'pages of this server only',
    description:
      'Pages of other sites whose scripts may call the API, with a key or a token: https://shop.example,http://localhost:5173, or * for all. Cookies are never theirs to send.',
  },
  URL_INPUT: {
    schema: z.enum(['on', 'off'], 'must be on or off').default('on'),
    otherwise: 'on',
    description: 'on: imageUrl in place of an image makes the server fetch it, from public addresses and those of EGRESS_ALLOW.',
  },
  EGRESS_ALLOW: {
    schema: z.string().default('').transform(readAs(parseAllowList)),
    otherwise: 'public addresses only',
    description:
      "Private addresses allowed for webhooks, callers' AI servers, sources and imageUrl: names, addresses or networks, with or without a port, such as hooks.lan,127.0.0.1:11434,10.20.0.0/16.",
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    otherwise: 'info',
    description: 'Minimum level of the log: debug, info, warn, error or silent.',
  },
} as const satisfies Record<string, Setting>
