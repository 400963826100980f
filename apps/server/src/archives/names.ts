import { isUtf8 } from 'node:buffer'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { type Encoding, type EncodingName, encodings } from './encodings.ts'
import { quotePath } from './errors.ts'

/** How the names of entries are encoded that do not say it: `auto` recognises it. */
export const nameEncodings = ['auto', ...(Object.keys(encodings) as EncodingName[])] as const
export type NameEncoding = (typeof nameEncodings)[number]

/** Other names of encodings, as systems and programs call them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ...(['utf8', 'utf_8'] as const).map((alias) => [alias, 'utf-8'] as const),
  ...(['sjis', 'shift-jis', 'windows-31j', 'cp932', 'ms932'] as const).map((alias) => [alias, 'shift_jis'] as const),
  ...(['gb2312', 'gb18030', 'cp936'] as const).map((alias) => [alias, 'gbk'] as const),
  ...(['cp950'] as const).map((alias) => [alias, 'big5'] as const),
  ...(['euc_kr', 'cp949', 'uhc'] as const).map((alias) => [alias, 'euc-kr'] as const),
  ...(['1252', '1251'] as const).map((page) => [`windows-${page}`, `cp${page}`] as const),
  ...(['437', '850', '866'] as const).map((page) => [`ibm${page}`, `cp${page}`] as const),
])

/** The name in the table of an encoding, written in any case or by an alias; others as they are. */
export function encodingNamed(text: string): string {
  const name = text.trim().toLowerCase()
  return aliases.get(name) ?? name
}

/** Names beyond these do not change the verdict. */
const MOST_NAMES = 200

/**
 * Decodes the names of one archive whose encoding is not said. macOS and many others write UTF-8 without its flag; other encodings are
 * hardly ever valid UTF-8 by chance. The encoding of all others is the likeliest one.
 * @param names all of these
 * @throws ApiError invalid_params from the result, for a name that is not in the encoding that was asked for
 */
export function nameDecoder(names: readonly Buffer[], requestedEncoding: NameEncoding): (name: Buffer) => string {
  if (requestedEncoding !== 'auto') return (name) => encodings[requestedEncoding].decode(name) ?? notIn(requestedEncoding, name)
  const others = names.filter((name) => !isUtf8(name))
  if (others.length === 0) return (name) => name.toString('utf8')
  const encoding = likeliest(others.slice(0, MOST_NAMES))
  return (name) => {
    const utf8 = isUtf8(name) ? name.toString('utf8') : undefined
    const mayBeByChance = encoding.isWide && NO_IDEOGRAPHS.test(utf8 ?? '')
    return utf8 !== undefined && !mayBeByChance ? utf8 : (encoding.decode(name) ?? utf8 ?? encodings.cp437.decode(name))
  }
}

/** What two bytes are in UTF-8; of three, text is hardly ever valid by chance. */
const NO_IDEOGRAPHS = /^[\0-\u07ff]*$/

/** Bits of each byte of a name that is not in an encoding: there may be one in another. */
const NOT_IN_IT = 25

function likeliest(names: readonly Buffer[]): Encoding {
  const costs = (Object.values(encodings) as readonly Encoding[]).flatMap((encoding) => {
    const { decode, cost, handicap = 0 } = encoding
    if (!cost) return []
    const bits = names.map((name) => {
      const text = decode(name)
      return text === undefined ? NOT_IN_IT * name.length : cost(name, text)
    })
    return [{ encoding, bits: bits.reduce((sum, each) => sum + each, handicap) }]
  })
  const best = costs.reduce((least, each) => (each.bits < least.bits ? each : least))
  return best.encoding
}

function notIn(encoding: EncodingName, name: Buffer): never {
  const message = `The name ${quotePath(encodings.cp437.decode(name))} is not in ${encoding}; send another nameEncoding, or none.`
  throw invalidParam('nameEncoding', 'custom', message)
}
