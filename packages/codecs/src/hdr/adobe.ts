import { HDRGM } from '../metadata/gain-maps.ts'
import { xmpTexts } from '../metadata/xmp.ts'
import { DEFAULT_OFFSET, type GainChannel, type GainMapValues } from './values.ts'

/** The values in the XMP of a map; undefined where it has none. Three numbers are those of red, green and blue. */
export function parseAdobe(packet: Buffer): GainMapValues | undefined {
  const texts = xmpTexts(packet)
  const numbers = (name: string): readonly number[] => (texts.get(`${HDRGM} ${name}`) ?? []).map(Number)
  const [largest] = numbers('GainMapMax')
  if (!texts.has(`${HDRGM} Version`) || largest === undefined) return undefined
  const fields = {
    min: numbers('GainMapMin'),
    max: numbers('GainMapMax'),
    gamma: numbers('Gamma'),
    offsetSdr: numbers('OffsetSDR'),
    offsetHdr: numbers('OffsetHDR'),
  }
  const count = Object.values(fields).some(({ length }) => length === 3) ? 3 : 1
  const channels = Array.from({ length: count }, (_, index): GainChannel => {
    const of = (name: keyof typeof fields, usual: number) => fields[name][index] ?? fields[name][0] ?? usual
    return {
      min: of('min', 0),
      max: of('max', 1),
      gamma: of('gamma', 1),
      offsetSdr: of('offsetSdr', DEFAULT_OFFSET),
      offsetHdr: of('offsetHdr', DEFAULT_OFFSET),
    }
  })
  const [capacityMin = 0] = numbers('HDRCapacityMin')
  const [capacityMax = largest] = numbers('HDRCapacityMax')
  const baseIsHdr = texts.get(`${HDRGM} BaseRenditionIsHDR`)?.[0] === 'True'
  return { channels, capacityMin, capacityMax, baseIsHdr }
}

/** The properties of the XMP of a map, as attributes and lists. */
export function adobeDescription({ channels, capacityMin, capacityMax }: GainMapValues): string {
  const lists = { GainMapMin: 'min', GainMapMax: 'max', Gamma: 'gamma', OffsetSDR: 'offsetSdr', OffsetHDR: 'offsetHdr' } as const
  const attributes = [
    'hdrgm:Version="1.0"',
    `hdrgm:HDRCapacityMin="${digits(capacityMin)}"`,
    `hdrgm:HDRCapacityMax="${digits(capacityMax)}"`,
    'hdrgm:BaseRenditionIsHDR="False"',
  ]
  const elements = Object.entries(lists).map(([name, field]) => {
    const items = channels.map((channel) => `<rdf:li>${digits(channel[field])}</rdf:li>`)
    return channels.length === 1
      ? `<hdrgm:${name}>${digits(channels[0]?.[field] ?? 0)}</hdrgm:${name}>`
      : `<hdrgm:${name}><rdf:Seq>${items.join('')}</rdf:Seq></hdrgm:${name}>`
  })
  return `<rdf:Description rdf:about="" xmlns:hdrgm="${HDRGM}" ${attributes.join(' ')}>${elements.join('')}</rdf:Description>`
}

const digits = (value: number): string => String(Number(value.toFixed(6)))
