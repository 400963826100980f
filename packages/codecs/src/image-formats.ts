/** An image format as callers see it. How its files are read and written is in `packages/codecs/`. */
export interface ImageFormat {
  /** Its name in sentences. */
  readonly title: string
  readonly mime: string
  /** The extension of result files. */
  readonly extension: string
  /** All file extensions and media subtypes that callers use for such files. */
  readonly extensions: readonly string[]
  readonly subtypes: readonly string[]
  /** What its files begin with, `.` for any byte: for programs without the codecs, such as the dashboard. */
  readonly beginning: RegExp
  /** Its place among the formats that a recipe can name; absent where only `same` writes it. */
  readonly place?: number
}

/** The accepted formats, in the order in which sentences list them. Each has a codec in `packages/codecs/src/index.ts`. */
export const imageFormats = {
  jpeg: {
    title: 'JPEG',
    mime: 'image/jpeg',
    extension: 'jpg',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    subtypes: ['jpeg', 'jpg', 'pjpeg'],
    beginning: /^\xff\xd8\xff/,
    place: 3,
  },
  png: {
    title: 'PNG',
    mime: 'image/png',
    extension: 'png',
    extensions: ['png', 'apng'],
    subtypes: ['png', 'x-png', 'apng'],
    beginning: /^\x89PNG\r\n/,
    place: 4,
  },
  webp: {
    title: 'WebP',
    mime: 'image/webp',
    extension: 'webp',
    extensions: ['webp'],
    subtypes: ['webp'],
    beginning: /^RIFF.{4}WEBP/s,
    place: 1,
  },
  gif: {
    title: 'GIF',
    mime: 'image/gif',
    extension: 'gif',
    extensions: ['gif'],
    subtypes: ['gif'],
    beginning: /^GIF8[79]a/,
    place: 5,
  },
  bmp: {
    title: 'BMP',
    mime: 'image/bmp',
    extension: 'bmp',
    extensions: ['bmp', 'dib'],
    subtypes: ['bmp', 'x-bmp', 'x-ms-bmp'],
    // A bitmap without a file header begins with the length of its info header; after the size are small numbers of planes and bits.
    beginning: /^(?:BM.{4}\0{4}|[(48@l|]\0{3}.{9}\0.\0|\f\0{3}.{5}\0.\0)/s,
  },
  tiff: {
    title: 'TIFF',
    mime: 'image/tiff',
    extension: 'tiff',
    extensions: ['tif', 'tiff'],
    subtypes: ['tiff', 'tif', 'x-tiff'],
    beginning: /^(?:II\*\0|MM\0\*)/,
    place: 6,
  },
  heic: {
    title: 'HEIC',
    mime: 'image/heic',
    extension: 'heic',
    extensions: ['heic', 'heif', 'hif'],
    subtypes: ['heic', 'heif', 'heic-sequence', 'heif-sequence'],
    beginning: /^.{4}ftyp(?:.{4})*?(?:hei[cmsx]|hev[cmsx]|mif[12]|msf1)/s,
  },
  avif: {
    title: 'AVIF',
    mime: 'image/avif',
    extension: 'avif',
    extensions: ['avif', 'avifs'],
    subtypes: ['avif', 'avif-sequence'],
    beginning: /^.{4}ftyp(?:.{4})*?avi[fs]/s,
    place: 2,
  },
  jxl: {
    title: 'JPEG XL',
    mime: 'image/jxl',
    extension: 'jxl',
    extensions: ['jxl'],
    subtypes: ['jxl'],
    beginning: /^(?:\xff\n|\0{3}\fJXL \r\n\x87\n)/,
    place: 7,
  },
  qoi: {
    title: 'QOI',
    mime: 'image/qoi',
    extension: 'qoi',
    extensions: ['qoi'],
    subtypes: ['qoi', 'x-qoi'],
    beginning: /^qoif/,
    place: 8,
  },
  ico: {
    title: 'ICO',
    mime: 'image/x-icon',
    extension: 'ico',
    extensions: ['ico', 'cur'],
    subtypes: ['x-icon', 'vnd.microsoft.icon', 'ico'],
    // 1 of an icon or 2 of a cursor, a number of pictures, and a byte of the first that is always 0.
    beginning: /^\0\0[^\0\t-\xff]\0(?!\0\0).{5}\0/s,
    place: 9,
  },
} as const satisfies Readonly<Record<string, ImageFormat>>

export type FormatName = keyof typeof imageFormats

/** The formats that a recipe can name; with `same` every format is written. */
export type WrittenFormat = {
  [Name in FormatName]: (typeof imageFormats)[Name] extends { readonly place: number } ? Name : never
}[FormatName]

const placeOf = (name: FormatName): number => (imageFormats[name] as ImageFormat).place ?? Number.POSITIVE_INFINITY

export const writtenFormats = (Object.keys(imageFormats) as FormatName[])
  .filter((name): name is WrittenFormat => Number.isFinite(placeOf(name)))
  .toSorted((one, other) => placeOf(one) - placeOf(other)) as [WrittenFormat, ...WrittenFormat[]]

/** The formats that convert and batches write, in the order of the specification. */
export const targetFormats = ['webp', 'avif', 'jpeg', 'png', 'jxl'] as const satisfies readonly WrittenFormat[]
export type TargetFormat = (typeof targetFormats)[number]

export const isTargetFormat = (name: FormatName): name is TargetFormat => (targetFormats as readonly FormatName[]).includes(name)

const rows: readonly ImageFormat[] = Object.values(imageFormats)

/** "JPEG, PNG, … or AVIF" */
export function formatList(conjunction: 'and' | 'or'): string {
  const titles = rows.map(({ title }) => title)
  return `${titles.slice(0, -1).join(', ')} ${conjunction} ${titles.at(-1)}`
}

const IMAGE_NAME = new RegExp(`\\.(${rows.flatMap(({ extensions }) => extensions).join('|')})$`, 'i')

/** Whether a file's name has an extension of an accepted format. */
export const isImageName = (path: string): boolean => IMAGE_NAME.test(path)

/** Bytes from which any format is recognised. */
export const HEAD_BYTES = 64

/** Whether the first bytes of a file, as Latin-1 text, are those of an accepted format. */
export const isImageHead = (head: string): boolean => rows.some(({ beginning }) => beginning.test(head))

/** File extensions that clients send instead of format names, and the names. */
export const formatAliases: ReadonlyMap<string, string> = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
])

/** The `accept` attribute of a file input; operating systems do not know the media type of each of these extensions. */
export const acceptedFiles = ['image/*', ...rows.flatMap(({ extensions }) => extensions.map((end) => `.${end}`))].join(',')
