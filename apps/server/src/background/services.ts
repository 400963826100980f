import { StartError } from '@pixelmill/codecs/contract/start-error'

/** A background removal service, as data. Each takes a form with a file and answers with a picture. */
export interface ServiceRow {
  /** Undefined where only the operator knows the address. */
  readonly origin?: string
  /** Appended to an address without a path. */
  readonly path?: string
  /** The header that carries the bare key; undefined: `Authorization: Bearer`. */
  readonly keyHeader?: string
  readonly needsKey: boolean
  readonly fileField: string
  /** Fields beside the file. BG_PROVIDER_EXTRA_FIELDS adds to them or replaces them. */
  readonly fields: Readonly<Record<string, string>>
  /** The largest picture that it accepts. Larger ones are scaled down, and only the alpha channel is taken from the answer. */
  readonly most: Most
}

export interface Most {
  readonly pixels: number
  /** Of the longer side. */
  readonly side: number
  readonly bytes: number
}

const MB = 1_000_000
/** For a self-hosted service more pixels gain nothing: models scale to 1,024 pixels a side. */
const ownService: Most = { pixels: 12 * MB, side: 10_000, bytes: 20 * MB }

/** Every service by its name in BG_PROVIDER. To add one, add a row. */
export const services = {
  /** remove.bg/api, 2026: a PNG has at most 10 megapixels; size=auto takes as many as the account has credits for. */
  removebg: {
    origin: 'https://api.remove.bg',
    path: '/v1.0/removebg',
    keyHeader: 'x-api-key',
    needsKey: true,
    fileField: 'image_file',
    // Otherwise it answers with a JPEG where nothing is transparent.
    fields: { size: 'auto', format: 'png' },
    most: { pixels: 10 * MB, side: 10_000, bytes: 22 * MB },
  },
  /** `rembg s` of github.com/danielgatis/rembg; `model` is one of its extra fields. */
  rembg: { path: '/api/remove', needsKey: false, fileField: 'file', fields: {}, most: ownService },
  /** The server of withoutbg.com in a container. */
  withoutbg: { path: '/v1/remove-background', needsKey: false, fileField: 'image', fields: {}, most: ownService },
  /** clipdrop.co/apis/docs/remove-background: 25 megapixels, 30 MB. */
  clipdrop: {
    origin: 'https://clipdrop-api.co',
    path: '/remove-background/v1',
    keyHeader: 'x-api-key',
    needsKey: true,
    fileField: 'image_file',
    fields: {},
    most: { pixels: 25 * MB, side: 10_000, bytes: 30 * MB },
  },
  /** docs.photoroom.com, Remove Background API: 25 megapixels, 6,000 pixels a side, 50 MB. */
  photoroom: {
    origin: 'https://sdk.photoroom.com',
    path: '/v1/segment',
    keyHeader: 'x-api-key',
    needsKey: true,
    fileField: 'image_file',
    fields: { format: 'png' },
    most: { pixels: 25 * MB, side: 6_000, bytes: 50 * MB },
  },
  custom: { needsKey: false, fileField: 'image_file', fields: {}, most: ownService },
} as const satisfies Record<string, ServiceRow>

export type ServiceName = keyof typeof services
export const serviceNames = Object.keys(services) as [ServiceName, ...ServiceName[]]

/** Settings of the operator. */
export interface ProviderSettings {
  readonly BG_PROVIDER?: ServiceName | undefined
  readonly BG_PROVIDER_URL?: string | undefined
  readonly BG_PROVIDER_KEY?: string | undefined
  readonly BG_PROVIDER_KEY_HEADER?: string | undefined
  readonly BG_PROVIDER_FILE_FIELD?: string | undefined
  readonly BG_PROVIDER_EXTRA_FIELDS?: Readonly<Record<string, string>> | undefined
  readonly BG_PROVIDER_TIMEOUT_S: number
}

/** The configured service. */
export interface Service {
  readonly name: ServiceName
  readonly url: string
  /** Including the key. */
  readonly headers: Readonly<Record<string, string>>
  readonly fileField: string
  readonly fields: Readonly<Record<string, string>>
  readonly most: Most
  /** Milliseconds for the answer, retries included. */
  readonly budgetMs: number
}

/**
 * Undefined when no service is configured.
 * @throws StartError when one of its settings is missing, or settings are there without BG_PROVIDER
 */
export function chosenService(settings: ProviderSettings): Service | undefined {
  const { BG_PROVIDER: name, BG_PROVIDER_FILE_FIELD: fileField, BG_PROVIDER_EXTRA_FIELDS: fields } = settings
  if (name === undefined) return refuseUnusedSettings(settings)
  const row: ServiceRow = services[name]
  return {
    name,
    url: addressOf(name, row, settings.BG_PROVIDER_URL),
    headers: keyHeader(name, row, settings),
    fileField: fileField ?? row.fileField,
    fields: { ...row.fields, ...fields },
    most: row.most,
    budgetMs: settings.BG_PROVIDER_TIMEOUT_S * 1_000,
  }
}

/** An operator who set an address or a key expects a service to be called. */
function refuseUnusedSettings({ BG_PROVIDER_URL: url, BG_PROVIDER_KEY: key }: ProviderSettings): undefined {
  if (url === undefined && key === undefined) return undefined
  throw new StartError(`${url === undefined ? 'BG_PROVIDER_KEY' : 'BG_PROVIDER_URL'} is set, but BG_PROVIDER is not. ${SEE}`)
}

function addressOf(name: ServiceName, { origin, path }: ServiceRow, set: string | undefined): string {
  const url = set ?? origin
  if (url === undefined) throw new StartError(`BG_PROVIDER_URL must be set for BG_PROVIDER=${name}: it has no default. ${SEE}`)
  const address = new URL(url)
  if (address.pathname === '/' && path !== undefined) address.pathname = path
  return address.href
}

function keyHeader(name: ServiceName, row: ServiceRow, settings: ProviderSettings): Readonly<Record<string, string>> {
  const { BG_PROVIDER_KEY: key, BG_PROVIDER_KEY_HEADER: header = row.keyHeader } = settings
  if (key === undefined && row.needsKey) throw new StartError(`BG_PROVIDER_KEY must be set for BG_PROVIDER=${name}. ${SEE}`)
  if (key === undefined) return {}
  return header === undefined ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key }
}

const SEE = 'See docs/configuration.md.'
