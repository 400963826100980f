import type { XmpProperty } from './xmp.ts'

/** What a dataset says: who has rights in the picture, where it was taken, a preview of the old one, or another thing. */
type Kind = 'rights' | 'place' | 'preview' | 'other'

/** A dataset of the application record (IIM 4.2, 6), and the property of XMP that means the same (IPTC Photo Metadata 2023.2). */
export interface DatasetRow {
  readonly number: number
  readonly kind: Kind
  readonly property?: Omit<XmpProperty, 'texts'>
  /** Of the time that belongs to a date. */
  readonly time?: number
}

type Property = readonly [prefix: XmpProperty['prefix'], name: string, kind?: XmpProperty['kind']]

const row = (kind: Kind, number: number, property?: Property, time?: number): DatasetRow => {
  const [prefix, name, form = 'text'] = property ?? []
  return { number, kind, ...(prefix && name && { property: { prefix, name, kind: form } }), ...(time && { time }) }
}

const rows: readonly DatasetRow[] = [
  row('other', 4, ['iptc', 'IntellectualGenre']),
  row('other', 5, ['dc', 'title', 'Alt']),
  row('other', 10, ['photoshop', 'Urgency']),
  row('other', 12, ['iptc', 'SubjectCode', 'Bag']),
  row('other', 15, ['photoshop', 'Category']),
  row('other', 20, ['photoshop', 'SupplementalCategories', 'Bag']),
  row('other', 25, ['dc', 'subject', 'Bag']),
  // The code of a place and its name.
  row('place', 26),
  row('place', 27),
  row('other', 40, ['photoshop', 'Instructions']),
  row('other', 55, ['photoshop', 'DateCreated'], 60),
  row('other', 62, ['xmp', 'CreateDate'], 63),
  row('other', 65, ['xmp', 'CreatorTool']),
  row('rights', 80, ['dc', 'creator', 'Seq']),
  row('rights', 85, ['photoshop', 'AuthorsPosition']),
  row('place', 90, ['photoshop', 'City']),
  row('place', 92, ['iptc', 'Location']),
  row('place', 95, ['photoshop', 'State']),
  row('place', 100, ['iptc', 'CountryCode']),
  row('place', 101, ['photoshop', 'Country']),
  row('other', 103, ['photoshop', 'TransmissionReference']),
  row('other', 105, ['photoshop', 'Headline']),
  row('rights', 110, ['photoshop', 'Credit']),
  row('rights', 115, ['photoshop', 'Source']),
  row('rights', 116, ['dc', 'rights', 'Alt']),
  row('rights', 118),
  row('other', 120, ['dc', 'description', 'Alt']),
  row('other', 122, ['photoshop', 'CaptionWriter']),
  row('other', 135, ['dc', 'language', 'Bag']),
  row('preview', 200),
  row('preview', 201),
  row('preview', 202),
  // Without a property: edition, dates of release, references, sound, and what editors add. Others are unknown.
  ...[0, 3, 7, 8, 22, 30, 35, 37, 38, 42, 45, 47, 50, 60, 63, 70, 75, 121, 125, 130, 131].map((number) => row('other', number)),
  ...[150, 151, 152, 153, 154, 184, 185, 186, 187, 188, 221, 225, 228, 230, 231, 232, 255].map((number) => row('other', number)),
]

const byNumber: ReadonlyMap<number, DatasetRow> = new Map(rows.map((one) => [one.number, one]))

/** Undefined for a number that has no meaning in the standard. */
export const datasetRow = (number: number): DatasetRow | undefined => byNumber.get(number)

export const rowsWithProperty = rows.filter(({ property }) => property !== undefined)
/** Parts of a row with a property. */
export const isTime = (number: number): boolean => rows.some(({ time }) => time === number)
