import { createHash } from 'node:crypto'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { AUTO, BEST } from '@pixelmill/engine/recipe/plan'
import { LRUCache } from 'lru-cache'
import { ApiError, isRefusal } from '../contract/api-error.ts'
import { type Address, isSigned, readAddress, requireInTime, segmentsOf } from './address.ts'
import { CACHE_PREFIX } from './cache.ts'
import { type ClientHints, type HintName, hintKey, NO_HINTS } from './client-hints.ts'
import type { Density } from './content-dpr.ts'
import type { SourceDialect } from './dialects/dialect.ts'
import type { ImgproxyDialect, ImgproxyOrder } from './imgproxy/dialect.ts'
import type { KnownSources } from './known-sources.ts'
import { type Asked, readParameters, requireOneOutput } from './parameters.ts'
import type { Source } from './source.ts'

/** What only orders of dialects have. */
type OfDialects = 'query' | 'prepare' | 'variant' | 'disposition'

/** What a URL asks for, after its signature was checked. */
export interface Order extends Omit<ImgproxyOrder, OfDialects>, Partial<Pick<ImgproxyOrder, OfDialects>> {
  /** Whether the format depends on Accept, and how. */
  readonly chooses: 'auto' | 'best' | undefined
  /** Hints that can change the image, where the source follows them. */
  readonly hints?: readonly HintName[]
  readonly density?: Density
  /** Keys of its results in the cache, by the formats on which they depend. */
  readonly keys: Map<string, string>
}

/** Formats that a client accepts, as far as they matter. */
export interface Accepted {
  /** Those of auto, the first of which it gets unless the picture moves. */
  readonly auto: string
  readonly first: string
  readonly best: string
  readonly accepts: FormatName[]
  readonly allows: FormatName[]
}

/** Under which sources are. */
const PREFIX = '/i/'

/** URLs that were read lately, and headers Accept. */
const URLS = 20_000
const HEADERS = 1_000
const LONGEST_HEADER = 512

/** Reads delivery URLs, and remembers those that were signed. */
export interface Orders {
  /** Whether a path is one of delivery, in any dialect. */
  isAddress(url: string): boolean
  /** An order that needs no waiting: its source is known, and not to have changed. Undefined also for a URL that `read` refuses. */
  atOnce(url: string, hints?: ClientHints): Order | undefined
  /** @throws ApiError source_not_found, invalid_signature, invalid_params, preset_not_found */
  read(url: string, hints?: ClientHints): Promise<Order>
  acceptedFormats(header: string | undefined): Accepted
}

export function openOrders(
  sources: Pick<KnownSources, 'current' | 'find' | 'ofAdministrators' | 'preset'>,
  imgproxy: ImgproxyDialect | undefined,
  dialects: readonly SourceDialect[],
): Orders {
  const urls = new LRUCache<string, Order>({ max: URLS })
  const headers = new LRUCache<string, Accepted>({ max: HEADERS })

  function knownOrder(url: string, hints: ClientHints): Order | undefined {
    const foundOrder = urls.get(url) ?? urls.get(withHints(url, hints))
    return foundOrder && sources.current(foundOrder.source.name) === foundOrder.source ? foundOrder : undefined
  }
  function remember(url: string, read: Omit<Order, 'chooses' | 'keys'>, hints = NO_HINTS): Order {
    const format = read.recipe.outputs[0]?.format
    const order = { ...read, chooses: format === 'auto' || format === 'best' ? format : undefined, keys: new Map() }
    urls.set(order.source.clientHints && order.hints?.length ? withHints(url, hints) : url, order)
    return order
  }
  const dialectOf = (url: string) => dialects.find((dialect) => dialect.sourceOf(url) !== undefined)

  async function readDialect(url: string, dialect: SourceDialect): Promise<Omit<Order, 'chooses' | 'keys'>> {
    const source = await sources.find(dialect.sourceOf(url) ?? '')
    if (!source) throw new ApiError('source_not_found')
    return dialect.read(url, source, async (name) => requireOneOutput(await sources.preset(source, name), 't'))
  }
  return {
    isAddress: (url) => url.startsWith(PREFIX) || dialectOf(url) !== undefined || imgproxy?.isAddress(url) === true,
    atOnce(url, hints = NO_HINTS) {
      const foundOrder = knownOrder(url, hints)
      if (foundOrder) return foundOrder
      const address = readAddress(url)
      const source = address && sources.current(address.source)
      if (!address || !source) return undefined
      try {
        const checkedOrder = check(address, source, hints)
        return checkedOrder.recipe && remember(url, { ...checkedOrder, recipe: checkedOrder.recipe }, hints)
      } catch (error) {
        if (isRefusal(error)) return undefined
        throw error
      }
    },
    async read(url, hints = NO_HINTS) {
      const foundOrder = knownOrder(url, hints)
      if (foundOrder) {
        requireInTime(foundOrder.expires)
        return foundOrder
      }
      const dialect = dialectOf(url)
      if (dialect) return remember(url, await readDialect(url, dialect))
      if (imgproxy?.isAddress(url)) return remember(url, imgproxy.read(url, await sources.ofAdministrators()))
      const address = readAddress(url)
      const source = address && (await sources.find(address.source))
      if (!address || !source) throw new ApiError('source_not_found')
      const checkedOrder = check(address, source, hints)
      const { preset = '' } = checkedOrder
      const recipe = checkedOrder.recipe ?? requireOneOutput(await sources.preset(source, preset), 'p')
      return remember(url, { ...checkedOrder, recipe }, hints)
    },
    acceptedFormats(header = '') {
      const foundAnswer = headers.get(header)
      if (foundAnswer) return foundAnswer
      const acceptedFormats = acceptedFrom(header)
      if (header.length <= LONGEST_HEADER) headers.set(header, acceptedFormats)
      return acceptedFormats
    },
  }
}

/** A key of orders that depend on hints. */
const withHints = (url: string, hints: ClientHints): string => `${url} ${hintKey(hints)}`

type Checked = Pick<Order, 'source' | 'path' | 'expires' | 'explain' | 'hints' | 'density'> & Pick<Asked, 'recipe' | 'preset'>

/** Checks the signature first: a client that cannot sign learns nothing else. @throws ApiError invalid_signature, invalid_params */
function check(address: Address, source: Source, hints: ClientHints): Checked {
  const isOpen = source.unsigned && address.signature === undefined
  if (!isOpen && !isSigned(address, source.secrets)) throw new ApiError('invalid_signature')
  const { expires, ...asked } = readParameters(address.query, source.clientHints ? hints : NO_HINTS)
  if (isOpen && asked.preset === undefined)
    throw new ApiError('invalid_signature', { message: 'Without a signature only presets are served: p=NAME.' })
  requireInTime(expires)
  return { source, path: segmentsOf(address.path), expires, ...asked }
}

function acceptedFrom(header: string): Accepted {
  const { accepts, allows } = acceptedBy(header)
  const among = (some: typeof AUTO, namedTexts: readonly FormatName[]) =>
    some.filter(({ name }) => namedTexts.includes(name)).map(({ name }) => name)
  const auto = among(AUTO, accepts)
  return { accepts, allows, auto: auto.join(), first: auto[0] ?? '', best: among(BEST, allows).join() }
}

/** Keys of the cache. */
export interface Keys {
  /** With auto, of the result that everyone gets who accepts the same format first. */
  readonly main: string
  /** Of the result for exactly these formats: with auto and a picture that moves, which the first format may not hold. */
  readonly exact: string
}

/** Where the result for a client is cached: keys depend on all that can change its bytes. */
export function keysOf(order: Order, { auto, first, best }: Accepted): Keys {
  if (order.chooses !== 'auto') {
    const key = keyOf(order, order.chooses ? best : '')
    return { main: key, exact: key }
  }
  return { main: keyOf(order, first), exact: keyOf(order, auto) }
}

function keyOf({ source, path, query, recipe, variant, keys }: Order, formats: string): string {
  const foundText = keys.get(formats)
  if (foundText !== undefined) return foundText
  const place = path.join('/')
  const variantText = query === undefined ? variant : `${variant ?? ''}?${query}`
  const text = JSON.stringify([place, source.purged.get(place) ?? 0, canonical(recipe), formats, ENGINE, variantText])
  const hash = createHash('sha256').update(text).digest('hex')
  const key = `${CACHE_PREFIX}${source.generation}/${hash.slice(0, 2)}/${hash}`
  keys.set(formats, key)
  return key
}
