/** What a browser tells of the place where an image will be: https://wicg.github.io/responsive-image-client-hints/. */
export interface ClientHints {
  /** In pixels of the screen. */
  readonly width?: number
  /** Pixels of the screen for one of the page. */
  readonly dpr?: number
}

export const NO_HINTS: ClientHints = {}

/** Headers are not signed, so anybody could ask for any of them: this few sizes can be made of one URL. */
const WIDTH_STEP = 160
const MOST_WIDTH = 3_840
const DENSITIES = [1, 1.5, 2, 3] as const

/** The names of the headers, the current one of each first. */
const headersOf = { width: ['Sec-CH-Width', 'Width'], dpr: ['Sec-CH-DPR', 'DPR'] } as const

export type HintName = keyof typeof headersOf

/** For Accept-CH. */
export const acceptedHints = Object.values(headersOf)
  .map(([name]) => name)
  .join(', ')

/** For Vary. */
export const hintHeaders = (names: readonly HintName[]): readonly string[] => names.flatMap((name) => headersOf[name])

/** The hints of a request, rounded up to sizes that few share. @param header gives a request header by its name in lower case */
export function clientHints(header: (name: string) => string | undefined): ClientHints {
  const width = numberOf(header, 'width')
  const density = numberOf(header, 'dpr')
  if (width === undefined && density === undefined) return NO_HINTS
  return {
    ...(width !== undefined && { width: Math.min(MOST_WIDTH, Math.ceil(width / WIDTH_STEP) * WIDTH_STEP) }),
    ...(density !== undefined && { dpr: DENSITIES.find((step) => density <= step) ?? DENSITIES[DENSITIES.length - 1] }),
  }
}

/** Of a number from 1 on, since less would be no reason for another image; undefined for what is none. */
function numberOf(header: (name: string) => string | undefined, name: HintName): number | undefined {
  for (const field of headersOf[name]) {
    const text = header(field.toLowerCase())?.trim() ?? ''
    if (/^\d{1,5}(?:\.\d{1,10})?$/.test(text) && Number(text) > 0) return Number(text)
  }
  return undefined
}

/** Tells apart what different hints ask for. */
export const hintKey = ({ width = 0, dpr = 0 }: ClientHints): string => `${width} ${dpr}`
