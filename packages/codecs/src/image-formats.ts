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
}

/** The accepted formats, in the order in which sentences list them. Each has a codec in `packages/codecs/src/index.ts`. */
export const imageFormats = {
  jpeg: {
    ...{ title: 'JPEG', mime: 'image/jpeg', extension: 'jpg' },
    ...{ extensions: ['jpg', 'jpeg', 'jpe', 'jfif'], subtypes: ['jpeg', 'jpg', 'pjpeg'] },
  },
  png: {
    ...{ title: 'PNG', mime: 'image/png', extension: 'png' },
    ...{ extensions: ['png', 'apng'], subtypes: ['png', 'x-png', 'apng'] },
  },
  webp: { title: 'WebP', mime: 'image/webp', extension: 'webp', extensions: ['webp'], subtypes: ['webp'] },
  gif: { title: 'GIF', mime: 'image/gif', extension: 'gif', extensions: ['gif'], subtypes: ['gif'] },
  bmp: {
    ...{ title: 'BMP', mime: 'image/bmp', extension: 'bmp' },
    ...{ extensions: ['bmp', 'dib'], subtypes: ['bmp', 'x-bmp', 'x-ms-bmp'] },
  },
  tiff: {
    ...{ title: 'TIFF', mime: 'image/tiff', extension: 'tiff' },
    ...{ extensions: ['tif', 'tiff'], subtypes: ['tiff', 'tif', 'x-tiff'] },
  },
  heic: {
    ...{ title: 'HEIC', mime: 'image/heic', extension: 'heic' },
    ...{ extensions: ['heic', 'heif', 'hif'], subtypes: ['heic', 'heif', 'heic-sequence', 'heif-sequence'] },
  },
  avif: {
    ...{ title: 'AVIF', mime: 'image/avif', extension: 'avif' },
    ...{ extensions: ['avif', 'avifs'], subtypes: ['avif', 'avif-sequence'] },
  },
  jxl: { title: 'JPEG XL', mime: 'image/jxl', extension: 'jxl', extensions: ['jxl'], subtypes: ['jxl'] },
} as const satisfies Readonly<Record<string, ImageFormat>>

export type FormatName = keyof typeof imageFormats

/** The formats that convert and batches write, in the order of the specification. */
export const targetFormats = ['webp', 'avif', 'jpeg', 'png', 'jxl'] as const satisfies readonly FormatName[]
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

/** The `accept` attribute of a file input; operating systems do not know the media type of each of these extensions. */
export const acceptedFiles = ['image/*', ...rows.flatMap(({ extensions }) => extensions.map((end) => `.${end}`))].join(',')
