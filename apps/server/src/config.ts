import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readSettings, type Values } from 'pixelmill/settings/read-settings'
import { chosenService } from './background/services.ts'
import { settings } from './settings/index.ts'

export type Config = Values<typeof settings>

/** Which settings the environment contains, by the config that was made from it. */
const givenMap = new WeakMap<Config, ReadonlySet<string>>()

/** The names of the settings that are set. */
export const givenSettings = (config: Config): ReadonlySet<string> => givenMap.get(config) ?? new Set()

/** Settings that must be set together. */
const together = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['AI_BASE_URL', 'AI_MODEL'],
  ['AI_PRICE_INPUT', 'AI_PRICE_OUTPUT'],
  ['C2PA_CERTIFICATE', 'C2PA_PRIVATE_KEY'],
] as const satisfies readonly (readonly (keyof Config)[])[]

/**
 * Reads all settings; a blank one counts as not set.
 * @throws StartError naming the first invalid one; its value is not repeated, since it may be a secret
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const config = readSettings(settings, environment)
  givenMap.set(config, new Set(Object.keys(settings).filter((name) => environment[name]?.trim())))
  for (const names of together) {
    const missing = names.filter((name) => config[name] === undefined)
    if (missing.length > 0 && missing.length < names.length)
      throw new StartError(
        `${missing.join(' and ')} must be set too: ${names.join(' and ')} belong together. See docs/configuration.md.`,
      )
  }
  if (config.ROLE !== 'all' && config.DATABASE_URL === undefined)
    throw new StartError(`ROLE=${config.ROLE} needs DATABASE_URL: the parts of one service share its database.`)
  if (config.DELIVERY_BUCKETS.length > 0 && config.S3_BUCKET === undefined)
    throw new StartError('DELIVERY_BUCKETS needs S3_BUCKET and its key, which reads them too. See docs/sources.md.')
  if (config.DELIVERY_BUCKETS.some((place) => place.split('/')[0] === config.S3_BUCKET))
    throw new StartError('DELIVERY_BUCKETS must not name S3_BUCKET: it holds the files of all accounts. See docs/sources.md.')
  const { IMGPROXY_KEY: keys, IMGPROXY_SALT: salts, DELIVERY_DIALECTS: dialects } = config
  if (keys.length !== salts.length || (dialects.includes('imgproxy') && keys.length === 0))
    throw new StartError('DELIVERY_DIALECTS=imgproxy needs IMGPROXY_KEY and as many IMGPROXY_SALT. See docs/imgproxy.md.')
  // Called for its checks: nothing is opened yet.
  chosenService(config)
  return config
}
