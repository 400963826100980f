import type { MetadataBlocks } from './blocks.ts'
import { type Exif, parseExif, serialiseExif } from './exif.ts'
import { IPTC_FIELD } from './exif-tags.ts'
import { APPLICATION, type Dataset, datasetsIn, serialiseDatasets, textsOf } from './iptc.ts'
import { type DatasetRow, datasetRow, isTime, rowsWithProperty } from './iptc-datasets.ts'
import { addToXmp, namespaces, type XmpProperty, xmpTexts } from './xmp.ts'

/**
 * Blocks for a container without a place for IPTC: what has a property of XMP becomes one, and the rest a field of EXIF, where readers
 * look for it too.
 */
export function withIptcElsewhere({ exif, xmp, iptc, icc }: MetadataBlocks): MetadataBlocks {
  const datasets = iptc ? datasetsIn(iptc) : []
  if (datasets.length === 0) return { exif, xmp, icc }
  return { exif: exifWith(exif, datasetsWithoutProperty(datasets)), xmp: xmpWith(xmp, datasets), icc }
}

/** What only the datasets say. */
function xmpWith(xmp: Buffer | undefined, datasets: readonly Dataset[]): Buffer | undefined {
  const ownTexts = xmp ? xmpTexts(xmp) : new Map<string, readonly string[]>()
  const missing = rowsWithProperty.flatMap((row): XmpProperty[] => {
    const { property } = row
    if (!property || ownTexts.has(`${namespaces[property.prefix]} ${property.name}`)) return []
    const texts = textsAs(row, datasets)
    return texts.length > 0 ? [{ ...property, texts }] : []
  })
  return addToXmp(xmp, missing)
}

function exifWith(exif: Buffer | undefined, iptc: Buffer | undefined): Buffer | undefined {
  if (!iptc) return exif
  const { littleEndian, image, photo, place } = (exif && parseExif(exif)) ?? NO_FIELDS
  const field = { tag: IPTC_FIELD, type: UNDEFINED, count: iptc.length, data: iptc }
  return serialiseExif({ littleEndian, image: [...image, field], photo, place })
}

const UNDEFINED = 7
const NO_FIELDS: Exif = { littleEndian: true, image: [], photo: [], place: [] }

/** With the envelope, which names the characters; undefined where there is nothing else, since a version alone says nothing. */
function datasetsWithoutProperty(datasets: readonly Dataset[]): Buffer | undefined {
  const rest = datasets.filter(({ record, number }) => record !== APPLICATION || isAlone(number))
  return rest.some(({ record, number }) => record === APPLICATION && number !== VERSION) ? serialiseDatasets(rest) : undefined
}

const VERSION = 0
const isAlone = (number: number): boolean => !datasetRow(number)?.property && !isTime(number)

function textsAs({ number, time }: DatasetRow, datasets: readonly Dataset[]): readonly string[] {
  const texts = textsOf(datasets, number)
  if (time !== undefined) return texts.slice(0, 1).map((date) => dateTime(date, textsOf(datasets, time)[0]))
  // `IPTC:15054000:SPO:soccer:`, and `021:Feature`: a code beside its names.
  if (number === SUBJECT) return texts.map((text) => /^[^:]*:(\d{8})/.exec(text)?.[1] ?? text)
  return number === GENRE ? texts.map((text) => text.replace(/^\d{3}:/, '')) : texts
}

const GENRE = 4
const SUBJECT = 12

/** `20260131` and `143000+0100` as ISO 8601; parts of zeros are not known. Other texts stay. */
function dateTime(date: string, time: string | undefined): string {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(date) ?? []
  if (!year) return date
  if (month === '00' || day === '00') return month === '00' ? year : `${year}-${month}`
  const [, hour, minute, second, zoneHours, zoneMinutes] = /^(\d{2})(\d{2})(\d{2})(?:([+-]\d{2})(\d{2}))?$/.exec(time ?? '') ?? []
  const clock = hour ? `T${hour}:${minute}:${second}${zoneHours ? `${zoneHours}:${zoneMinutes}` : ''}` : ''
  return `${year}-${month}-${day}${clock}`
}
