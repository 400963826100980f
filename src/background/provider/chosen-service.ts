import { StartError } from '../../contract/start-error.ts'
import { type Most, type ServiceName, type ServiceRow, services } from './services.ts'

/** What the operator sets. */
export interface ProviderSettings {
  readonly BG_PROVIDER?: ServiceName | undefined
  readonly BG_PROVIDER_URL?: string | undefined
  readonly BG_PROVIDER_KEY?: string | undefined
  readonly BG_PROVIDER_KEY_HEADER?: string | undefined
  readonly BG_PROVIDER_FILE_FIELD?: string | undefined
  readonly BG_PROVIDER_EXTRA_FIELDS?: Readonly<Record<string, string>> | undefined
  readonly BG_PROVIDER_TIMEOUT_S: number
}

/** The service that is asked, and how. */
export interface Service {
  readonly name: ServiceName
  readonly url: string
  /** With the key. */
  readonly headers: Readonly<Record<string, string>>
  readonly fileField: string
  readonly fields: Readonly<Record<string, string>>
  readonly most: Most
  /** Milliseconds that may pass until it has answered, second tries included. */
  readonly budgetMs: number
}

/**
 * Undefined when no service is to be asked.
 * @throws StartError when something of it is missing, or something is set that nobody would ask for
 */
export function chosenService(settings: ProviderSettings): Service | undefined {
  const { BG_PROVIDER: name, BG_PROVIDER_FILE_FIELD: fileField, BG_PROVIDER_EXTRA_FIELDS: fields } = settings
  if (name === undefined) return refuseOrphans(settings)
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

/** Somebody who set an address or a key believes that a service is asked. */
function refuseOrphans({ BG_PROVIDER_URL: url, BG_PROVIDER_KEY: key }: ProviderSettings): undefined {
  if (url === undefined && key === undefined) return undefined
  throw new StartError(`${url === undefined ? 'BG_PROVIDER_KEY' : 'BG_PROVIDER_URL'} is set, but BG_PROVIDER is not. ${SEE}`)
}

function addressOf(name: ServiceName, { origin, path }: ServiceRow, set: string | undefined): string {
  const url = set ?? origin
  if (url === undefined)
    throw new StartError(`BG_PROVIDER_URL must be set for BG_PROVIDER=${name}: nobody else knows where it is. ${SEE}`)
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
