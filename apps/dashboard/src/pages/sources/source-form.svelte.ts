import { encodedPath } from './delivery-url.ts'
import { headersOfLines } from './header-lines.ts'
import type { Source, SourceType } from './source-words.ts'

/** The server's limits of maxAgeSeconds: a second and a year. */
export const MAX_AGE = { min: 1, max: 31_536_000, usual: 86_400 } as const

/** The fields that are folded away. */
export const habitFields = ['fallback', 'svg', 'cacheControl', 'redirects', 'headers'] as const

/** The fields of its form, besides the name. */
export const sourceFields = [
  ...habitFields,
  'baseUrl',
  'path',
  'bucket',
  'prefix',
  'accessKeyId',
  'secretAccessKey',
  'endpoint',
  'region',
  'maxAgeSeconds',
] as const

/** The settings of a source as typed; fields of other types are kept, but not sent. */
export class SourceForm {
  name = $state('')
  type = $state<SourceType>('web')
  baseUrl = $state('')
  path = $state('')
  bucket = $state('')
  prefix = $state('')
  endpoint = $state('')
  region = $state('')
  accessKeyId = $state('')
  secretAccessKey = $state('')
  maxAgeSeconds = $state<number | undefined>(MAX_AGE.usual)
  unsigned = $state(false)
  clientHints = $state(false)
  cacheControl = $state<Source['cacheControl']>('own')
  fallback = $state('')
  svg = $state<Source['svg']>('refuse')
  redirects = $state<'0' | '1' | '2' | '3'>('0')
  /** "Name: value", one in a line. */
  headerLines = $state('')
  removesHeaders = $state(false)
  /** Names of the headers that the server has. */
  readonly savedHeaders: readonly string[]
  /** The server has a secret key of the bucket already. */
  readonly hasKey: boolean

  constructor(source: Source | undefined) {
    this.hasKey = source?.type === 'bucket' && source.accessKeyId !== undefined
    this.savedHeaders = source?.type === 'web' ? source.headerNames : []
    if (!source) return
    const { name, type, maxAgeSeconds, unsigned, clientHints, cacheControl, fallback = '', svg } = source
    Object.assign(this, { name, type, maxAgeSeconds, unsigned, clientHints, cacheControl, svg })
    this.fallback = fallback.split('/').map(decodeURIComponent).join('/')
    if (source.type === 'web') Object.assign(this, { baseUrl: source.baseUrl, redirects: String(source.redirects) })
    if (source.type === 'folder') this.path = source.path
    if (source.type !== 'bucket') return
    const { bucket, prefix, endpoint = '', region = '', accessKeyId = '' } = source
    Object.assign(this, { bucket, prefix, endpoint, region, accessKeyId })
  }

  /**
   * What is saved. An empty secret key is left out, and so are empty headers: the server keeps those it has.
   * @throws ApiFailure for headers that are none
   */
  settings() {
    const { type, baseUrl, path, bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = this
    const { unsigned, clientHints, cacheControl, svg, fallback } = this
    const rest = {
      maxAgeSeconds: this.maxAgeSeconds ?? MAX_AGE.usual,
      unsigned,
      clientHints,
      cacheControl,
      svg,
      ...(fallback.trim() !== '' && { fallback: encodedPath(fallback) }),
    }
    if (type === 'web') {
      const headers = this.removesHeaders ? {} : headersOfLines(this.headerLines)
      const isSent = this.removesHeaders || Object.keys(headers).length > 0
      return { type, baseUrl, redirects: Number(this.redirects), ...(isSent && { headers }), ...rest }
    }
    if (type === 'folder') return { type, path, ...rest }
    const key = { endpoint, region, accessKeyId, secretAccessKey }
    const keyFields: Partial<typeof key> = Object.fromEntries(Object.entries(key).filter(([, value]) => value !== ''))
    return { type, bucket, prefix, ...keyFields, ...rest }
  }
}
