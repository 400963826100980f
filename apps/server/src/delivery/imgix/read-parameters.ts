import { byName } from '../dialects/parameter.ts'
import { notSupported } from '../dialects/values.ts'
import type { ImgixOptions } from './options.ts'
import { formatParameters, lookParameters, overlayParameters } from './parameters/look.ts'
import { sizeParameters } from './parameters/size.ts'

export const imgixParameters = { ...sizeParameters, ...lookParameters, ...overlayParameters, ...formatParameters }

const rows = byName(imgixParameters)

/** What imgix documents and no row is for; with hyphens and without. */
const others = `
  bg-remove bg-replace bg-remove-fallback upscale upscale-fallback super-resolution blend b blend-align
  blend-alpha blend-color blend-crop blend-fit blend-h blend-mode blend-pad blend-size blend-w blend-x blend-y
  border-bottom border-left border-radius border-radius-inner border-right border-top colorquant colors dpi
  duotone duotone-alpha exp faceindex facepad faces fill-gen-fallback fill-gen-pos fill-gen-prompt
  fill-gen-seed fill-gradient-cs fill-gradient-linear fill-gradient-linear-direction fill-gradient-radial
  fill-gradient-radial-radius fill-gradient-radial-x fill-gradient-radial-y fill-gradient-type fp-debug fps
  frame gam gif-q gifq grid-colors grid-size high htn interval iptc jpg-progressive loop mark-base mark-rot
  mark-tile mask-bg nr nrs object-removal-negative-prompt object-removal-rect page palette pdf-annotation
  prefix reverse rot-type shad skip-default-optimizations subtitle svg-sanitize transparency transcribe-lang
  trim-color trim-sd txt txt-align txt-clip txt-color txt-fit txt-font txt-lead txt-lig txt-line
  txt-line-color txt-pad txt-shad txt-size txt-track txt-width txt-x txt-y txtsize txtclr txtfont
  video-generate width-mode
`
const documentedNames: ReadonlySet<string> = new Set(
  others
    .trim()
    .split(/\s+/)
    .flatMap((name) => [name, name.replaceAll('-', '')]),
)

/** What the query of a URL says. */
export interface ReadParameters {
  readonly options: ImgixOptions
  /** What imgix does not document, such as a version: it changes nothing, but makes the URL another one. */
  readonly buster: string
}

/**
 * @param query as sent, without the signature
 * @throws ApiError invalid_params with the name of a parameter that is faulty or not supported
 */
export function readImgixParameters(query: string): ReadParameters {
  let options: ImgixOptions = {}
  const unknownPairs: string[] = []
  // Pages that were escaped twice have &amp; between the parameters.
  for (const [sentName, sentValue] of new URLSearchParams(query.replaceAll('&amp;', '&'))) {
    if (sentValue === '') continue
    const isEncoded = sentName.endsWith('64') && sentName.length > 2
    const name = isEncoded ? sentName.slice(0, -2) : sentName
    const row = rows.get(name)
    if (row) options = { ...options, ...row.read(isEncoded ? fromBase64(sentValue) : sentValue, sentName) }
    else if (documentedNames.has(name) && !isIdle(name, sentValue)) throw notSupported(sentName, sentValue)
    else if (!documentedNames.has(name)) unknownPairs.push(`${sentName}=${sentValue}`)
  }
  return { options, buster: unknownPairs.sort().join('&') }
}

/** Parameters of nothing, such as con=0. */
const isIdle = (name: string, value: string): boolean => value === '0' && name !== 'lossless'

const fromBase64 = (text: string): string => Buffer.from(text, 'base64url').toString()
