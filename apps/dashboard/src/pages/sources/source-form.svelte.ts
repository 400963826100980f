import type { Source, SourceType } from './source-words.ts'

/** The server's limits of maxAgeSeconds: a second and a year. */
export const MAX_AGE = { min: 1, max: 31_536_000, usual: 86_400 } as const

/** The fields of its form, besides the name. */
export const sourceFields = [
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
  /** The server has a secret key of the bucket already. */
  readonly hasKey: boolean

  constructor(source: Source | undefined) {
    this.hasKey = source?.type === 'bucket' && source.accessKeyId !== undefined
    if (!source) return
    const { name, type, maxAgeSeconds, unsigned, clientHints } = source
    Object.assign(this, { name, type, maxAgeSeconds, unsigned, clientHints })
    if (source.type === 'web') this.baseUrl = source.baseUrl
    if (source.type === 'folder') this.path = source.path
    if (source.type !== 'bucket') return
    const { bucket, prefix, endpoint = '', region = '', accessKeyId = '' } = source
    Object.assign(this, { bucket, prefix, endpoint, region, accessKeyId })
  }

  /** What is saved. An empty secret key is left out: the server keeps the one it has. */
  settings() {
    const { type, baseUrl, path, bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = this
    const { unsigned, clientHints } = this
    const rest = { maxAgeSeconds: this.maxAgeSeconds ?? MAX_AGE.usual, unsigned, clientHints }
    if (type === 'web') return { type, baseUrl, ...rest }
    if (type === 'folder') return { type, path, ...rest }
    const key = { endpoint, region, accessKeyId, secretAccessKey }
    const keyFields: Partial<typeof key> = Object.fromEntries(Object.entries(key).filter(([, value]) => value !== ''))
    return { type, bucket, prefix, ...keyFields, ...rest }
  }
}
