import { limits } from '../contract/limits.ts'
import type { MetadataBlocks } from './blocks.ts'
import { type Exif, type ExifField, numbersOf, parseExif, textOf } from './exif.ts'
import { datasetsIn, textsOf } from './iptc.ts'
import { namespaces, xmpTexts } from './xmp.ts'

export type Fact = string | number | (string | number)[]

export interface Place {
  latitude?: number
  longitude?: number
  altitude?: number
}

/** The fields of EXIF that people ask for, by the names of the standard; the place only if asked for. */
export function exifFacts({ exif }: MetadataBlocks, { gps }: { readonly gps: boolean }): Record<string, Fact> & { gps?: Place } {
  const parsedExif = exif && parseExif(exif)
  if (!parsedExif) return {}
  const fields = new Map([...parsedExif.photo, ...parsedExif.image].map((field) => [field.tag, field]))
  const facts = Object.entries(exifNames).flatMap(([name, tag]) => {
    const field = fields.get(tag)
    const fact = field && factOf(field, parsedExif.littleEndian)
    return fact === undefined ? [] : [[name, fact] as const]
  })
  const place = gps ? placeOf(parsedExif) : undefined
  return { ...Object.fromEntries(facts), ...(place && { gps: place }) } as Record<string, Fact> & { gps?: Place }
}

/** CIPA DC-008, 4.6. */
const exifNames = {
  ImageDescription: 0x010e,
  Make: 0x010f,
  Model: 0x0110,
  Software: 0x0131,
  DateTime: 0x0132,
  Artist: 0x013b,
  Copyright: 0x8298,
  ExposureTime: 0x829a,
  FNumber: 0x829d,
  ExposureProgram: 0x8822,
  PhotographicSensitivity: 0x8827,
  DateTimeOriginal: 0x9003,
  DateTimeDigitized: 0x9004,
  OffsetTimeOriginal: 0x9011,
  ExposureBiasValue: 0x9204,
  MeteringMode: 0x9207,
  LightSource: 0x9208,
  Flash: 0x9209,
  FocalLength: 0x920a,
  ColorSpace: 0xa001,
  PixelXDimension: 0xa002,
  PixelYDimension: 0xa003,
  WhiteBalance: 0xa403,
  FocalLengthIn35mmFilm: 0xa405,
  XResolution: 0x011a,
  YResolution: 0x011b,
  ResolutionUnit: 0x0128,
  ShutterSpeedValue: 0x9201,
  ApertureValue: 0x9202,

  BrightnessValue: 0x9203,
  MaxApertureValue: 0x9205,
  SubjectDistance: 0x9206,
  SensingMethod: 0xa217,
  CustomRendered: 0xa401,
  ExposureMode: 0xa402,
  DigitalZoomRatio: 0xa404,
  GainControl: 0xa407,
  Contrast: 0xa408,
  Saturation: 0xa409,
  Sharpness: 0xa40a,
  SubjectDistanceRange: 0xa40c,
  LensSpecification: 0xa432,
  LensSerialNumber: 0xa435,
  SceneCaptureType: 0xa406,
  CameraOwnerName: 0xa430,
  BodySerialNumber: 0xa431,
  LensMake: 0xa433,
  LensModel: 0xa434,
} as const

const { textLength, listLength } = limits.info
const shorten = (text: string): string => text.slice(0, textLength)

function factOf(field: ExifField, littleEndian: boolean): Fact | undefined {
  const text = textOf(field)
  if (text !== undefined) return shorten(text)
  const numbers = numbersOf(field, littleEndian).filter(Number.isFinite).slice(0, listLength)
  return numbers.length > 1 ? [...numbers] : numbers[0]
}

/** CIPA DC-008, 4.6.6: the tags of the reference and of degrees, minutes and seconds. */
const LATITUDE_REF = 1
const LATITUDE = 2
const LONGITUDE_REF = 3
const LONGITUDE = 4
const ALTITUDE_REF = 5
const ALTITUDE = 6

function placeOf({ place, littleEndian }: Exif): Place | undefined {
  const field = (tagNumber: number) => place.find(({ tag }) => tag === tagNumber)
  const numbers = (tagNumber: number) => numbersOf(field(tagNumber) ?? EMPTY, littleEndian)
  const degrees = (values: number, reference: number, negative: string) => {
    const [whole = Number.NaN, minutes = 0, seconds = 0] = numbers(values)
    const ref = field(reference)
    const sign = ref && textOf(ref) === negative ? -1 : 1
    return sign * (whole + minutes / 60 + seconds / 3_600)
  }
  const [height = Number.NaN] = numbers(ALTITUDE)
  const coordinates = {
    latitude: degrees(LATITUDE, LATITUDE_REF, 'S'),
    longitude: degrees(LONGITUDE, LONGITUDE_REF, 'W'),
    // 1 is below the sea.
    altitude: numbers(ALTITUDE_REF)[0] === 1 ? -height : height,
  }
  const finiteValues = Object.entries(coordinates).filter(([, value]) => Number.isFinite(value))
  return finiteValues.length > 0 ? Object.fromEntries(finiteValues) : undefined
}

const EMPTY: ExifField = { tag: 0, type: 1, count: 0, data: Buffer.alloc(0) }

/** What a picture shows and who may use it, from XMP or, where that does not say it, from IPTC. */
export function iptcFacts({ xmp, iptc }: MetadataBlocks): Record<string, Fact> {
  const texts = xmp ? xmpTexts(xmp) : new Map<string, readonly string[]>()
  const datasets = iptc ? datasetsIn(iptc) : []
  const facts = iptcNames.flatMap(({ name, property, dataset, list }) => {
    const fromXmp = texts.get(`${namespaces[property[0]]} ${property[1]}`) ?? []
    const values = fromXmp.length > 0 || dataset === undefined ? fromXmp : textsOf(datasets, dataset)
    const [first] = values
    if (first === undefined) return []
    return [[name, list ? values.slice(0, listLength).map(shorten) : shorten(first)] as const]
  })
  return Object.fromEntries(facts)
}

interface IptcRow {
  readonly name: string
  readonly property: readonly [prefix: keyof typeof namespaces, name: string]
  /** Of IIM. */
  readonly dataset?: number
  readonly list?: true
}

/** IPTC Photo Metadata 2023.2. */
const iptcNames: readonly IptcRow[] = [
  { name: 'title', property: ['dc', 'title'], dataset: 5 },
  { name: 'headline', property: ['photoshop', 'Headline'], dataset: 105 },
  { name: 'description', property: ['dc', 'description'], dataset: 120 },
  { name: 'keywords', property: ['dc', 'subject'], dataset: 25, list: true },
  { name: 'creator', property: ['dc', 'creator'], dataset: 80, list: true },
  { name: 'credit', property: ['photoshop', 'Credit'], dataset: 110 },
  { name: 'source', property: ['photoshop', 'Source'], dataset: 115 },
  { name: 'copyright', property: ['dc', 'rights'], dataset: 116 },
  { name: 'usageTerms', property: ['xmpRights', 'UsageTerms'] },
  { name: 'licenseUrl', property: ['xmpRights', 'WebStatement'] },
  { name: 'digitalSourceType', property: ['iptcExt', 'DigitalSourceType'] },
  { name: 'dateCreated', property: ['photoshop', 'DateCreated'], dataset: 55 },
]
