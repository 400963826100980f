import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { presetName } from '../accounts/presets.ts'
import { isPath } from './address.ts'
import { requestHeaders } from './request-headers.ts'

/** Sources are named as presets are. */
export const sourceName = presetName

/** The URL of a server to read from, without user name, password, query and fragment. */
const serverUrl = (description: string) =>
  z
    .url({ protocol: /^https?$/, error: 'Must be a URL that begins with https:// or http://.' })
    .max(2_048)
    .refine((text) => !/[?#]/.test(text) && URL.parse(text)?.username === '' && URL.parse(text)?.password === '', {
      error: 'Must have no user name, password, query or fragment.',
    })
    .meta({ description })

/** A path as bucket prefix or folder: segments that no dot begins, with "/" between. */
const PREFIX = /^(?:[^/\\\p{Cc}.][^/\\\p{Cc}]*(?:\/[^/\\\p{Cc}.][^/\\\p{Cc}]*)*)?$/u

const visible = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'Must have 1 to 200 visible characters.')

const types = ['web', 'bucket', 'folder'] as const

/** The fields of each type besides those of all, the one that it needs first. */
const fieldsOf = {
  web: ['baseUrl', 'redirects', 'headers'],
  bucket: ['bucket', 'prefix', 'endpoint', 'region', 'accessKeyId', 'secretAccessKey'],
  folder: ['path'],
} as const

/** Whose time an answer is fresh for. */
const cacheControl = z.enum(['own', 'follow'])

/** What becomes of an original that is SVG. */
const svg = z.enum(['refuse', 'pass', 'rasterize'])

/** What PUT /api/user/sources/{name} takes. */
export const sourceSettings = z
  .strictObject({
    type: z.enum(types).describe('Where the originals are: below a web address, in a bucket, or in a folder of the server.'),
    baseUrl: serverUrl('Of web: where the originals are; the path of a picture is added to it.')
      .overwrite((text) => (text.endsWith('/') ? text : `${text}/`))
      .optional(),
    redirects: z
      .int()
      .min(0)
      .max(limits.delivery.redirects)
      .optional()
      .describe(
        'Of web: how many redirects of an original are followed; each address is checked as baseUrl is. By default none.',
      ),
    headers: requestHeaders
      .optional()
      .describe(
        'Of web: headers of each request for an original, such as Authorization. They are stored encrypted, never shown, and not sent where a redirect leaves the scheme, host and port of baseUrl. Left out, those that were saved before stay; {} removes them.',
      ),
    bucket: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Must be the name of a bucket.')
      .optional()
      .describe('Of bucket: its name.'),
    prefix: z
      .string()
      .max(limits.delivery.pathBytes)
      .overwrite((text) => text.replace(/\/$/, ''))
      .regex(PREFIX, 'Must be folders with "/" between, none beginning with a dot.')
      .optional()
      .describe('Of bucket: only objects below it are delivered.'),
    endpoint: serverUrl('Of bucket: address of the S3 server; by default Amazon’s.').optional(),
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'Must be the name of a region.')
      .optional()
      .describe('Of bucket.'),
    accessKeyId: visible
      .optional()
      .describe('Of bucket: without a key, the server’s own is used for the buckets that DELIVERY_BUCKETS names.'),
    secretAccessKey: visible.optional().describe('Of bucket: left out, a key that was saved before stays.'),
    path: z
      .string()
      .regex(/^(?:[A-Za-z]:)?[/\\][^\p{Cc}]*$/u, 'Must be an absolute path.')
      .max(limits.delivery.pathBytes)
      .optional()
      .describe('Of folder: one of DELIVERY_FOLDERS, or below it.'),
    maxAgeSeconds: z
      .int()
      .min(limits.delivery.maxAge.min)
      .max(limits.delivery.maxAge.max)
      .default(limits.delivery.maxAge.default)
      .describe('How long an answer counts as fresh, here and in caches; then the original is asked whether it has changed.'),
    unsigned: z.boolean().default(false).describe('Whether URLs without a signature are served: with presets only.'),
    clientHints: z
      .boolean()
      .default(false)
      .describe(
        'Whether a URL without w and h takes its width from Sec-CH-Width, and one without dpr its density from Sec-CH-DPR.',
      ),
    cacheControl: cacheControl
      .default('own')
      .describe(
        'own: an answer is fresh for maxAgeSeconds. follow: for as long as the Cache-Control of the original says, where it has one.',
      ),
    fallback: z
      .string()
      .refine(isPath, { error: 'Must be the path of a picture in the source, percent-encoded.' })
      .optional()
      .describe(
        'Path of a picture in the source, percent-encoded, that is delivered where the original is missing, faulty or cannot be read: with status 200, X-Fallback and a max-age of 60.',
      ),
    svg: svg
      .default('refuse')
      .describe(
        'Originals that are SVG. refuse: an error. pass: sent as they are, without scripts and references to elsewhere; parameters that change a picture are an error. rasterize: the same, and drawn in pixels where a size, another step or a format is asked for.',
      ),
  })
  .superRefine((sentAddress, context) => {
    const at = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const [neededText] = fieldsOf[sentAddress.type]
    if (sentAddress[neededText] === undefined) at(neededText, `Is needed with ${sentAddress.type}.`)
    for (const [type, names] of Object.entries(fieldsOf))
      for (const name of names) if (type !== sentAddress.type && sentAddress[name] !== undefined) at(name, `Is for ${type} only.`)
    for (const name of ['endpoint', 'region', 'secretAccessKey'] as const)
      if (sentAddress.type === 'bucket' && sentAddress[name] !== undefined && sentAddress.accessKeyId === undefined)
        at(name, 'Must be sent with accessKeyId.')
  })
export type SourceSettings = Readonly<z.output<typeof sourceSettings>>

/** Where the originals are, as it is stored: the secret key of a bucket and the headers of requests are encrypted. */
export type Place =
  | {
      readonly type: 'web'
      readonly baseUrl: string
      readonly redirects?: number
      readonly headers?: {
        readonly names: readonly string[]
        /** JSON of an object of names and values. */
        readonly encrypted: string
      }
    }
  | {
      readonly type: 'bucket'
      readonly bucket: string
      readonly prefix: string
      readonly key?: {
        readonly endpoint?: string | undefined
        readonly region?: string | undefined
        readonly accessKeyId: string
        readonly encrypted: string
      }
    }
  | { readonly type: 'folder'; readonly path: string }

/** What its owner is shown. */
const shownOptions = {
  name: sourceName,
  maxAgeSeconds: z.int(),
  unsigned: z.boolean(),
  clientHints: z.boolean(),
  cacheControl,
  fallback: z.string().optional(),
  svg,
  updatedAt: z.iso.datetime(),
  usage: z
    .object({ hits: z.int(), misses: z.int(), bytes: z.int() })
    .meta(component('SourceUsage'))
    .describe(
      'Of the last 30 days: answers from the cache, which are free; images that were made, each a call; and bytes of both.',
    ),
  secret: z
    .string()
    .optional()
    .describe('Only of a source that has just been created, and of a new secret: 32 bytes as base64url. It is shown once.'),
}

export const shownSource = z.discriminatedUnion('type', [
  z
    .object({
      ...shownOptions,
      type: z.literal('web'),
      baseUrl: z.string(),
      redirects: z.int(),
      headerNames: z.array(z.string()).describe('Of the headers that are sent to it; their values are never shown.'),
    })
    .meta(component('WebSource')),
  z
    .object({
      ...shownOptions,
      type: z.literal('bucket'),
      bucket: z.string(),
      prefix: z.string(),
      endpoint: z.string().optional(),
      region: z.string().optional(),
      accessKeyId: z.string().optional(),
    })
    .meta(component('BucketSource')),
  z.object({ ...shownOptions, type: z.literal('folder'), path: z.string() }).meta(component('FolderSource')),
])
export type ShownSource = z.output<typeof shownSource>

/** A source as deliveries use it. */
export interface Source {
  readonly name: string
  readonly accountId: string
  /** Folders and buckets of the operator that its account may use; undefined for all, of an administrator. */
  readonly granted: readonly string[] | undefined
  readonly place: Place
  readonly maxAgeSeconds: number
  readonly unsigned: boolean
  readonly clientHints: boolean
  readonly cacheControl: z.output<typeof cacheControl>
  /** Decoded segments of its path. */
  readonly fallback: readonly string[] | undefined
  readonly svg: z.output<typeof svg>
  /** 32 bytes each; the current one first. */
  readonly secrets: readonly Buffer[]
  readonly generation: number
  /** Generations of single paths that were purged. */
  readonly purged: ReadonlyMap<string, number>
}
