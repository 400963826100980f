import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'
import { type Choice, type Known, looksAsPromised, type Trials } from './choose.ts'
import type { Judgement } from './judgement.ts'

type Tried = Trials['tried'][number]

const nameOf = (format: FormatName): string => imageFormats[format].title

/** One decimal for numbers below 10, and between 99 and 100. */
const decimal = (number: number): string => number.toFixed(number < 10 || (number > 99 && number < 100) ? 1 : 0)
/** In units of 1,000 bytes, as the dashboard says it. */
const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 999_500 ? `${decimal(bytes / 1000)} kB` : `${decimal(bytes / 1e6)} MB`
}

const asWritten = ({ format, quality, exact }: Tried): string =>
  `${nameOf(format)}${exact ? ' without loss' : quality === null ? '' : ` at quality ${quality}`}`

/** The reasons as sentences: what was measured, and at most one sentence of the model. */
export const reasons = (facts: Known, choice: Choice): readonly string[] => [
  ...content(facts),
  ...size(facts),
  ...decision(facts, choice),
  ...reservations(facts, choice),
]

function content({ trials, judgement, useCase }: Known): readonly string[] {
  const { frames, transparent, drawn, cmyk } = trials
  return [
    judgement
      ? judgeText(judgement)
      : drawn
        ? 'It looks drawn or typeset: one colour beside the other.'
        : 'It looks like a photograph.',
    ...(judgement?.reason ? [`The model says: “${judgement.reason}”`] : []),
    ...(frames > 1 ? [`It moves, in ${frames} frames; only formats that move were tried.`] : []),
    ...(transparent ? ['Parts of it are transparent; only formats that keep them so were tried.'] : []),
    ...(judgement?.needsTransparency && !transparent
      ? ['It would be better with a transparent background, which it lacks.']
      : []),
    ...(cmyk && !useCase.faithful ? ['Its colours are inks (CMYK), which screens cannot show; what was tried is in sRGB.'] : []),
  ]
}

const judgeText = ({ kind, hasText }: Judgement): string => {
  const what =
    kind === 'other' ? 'something else than a photograph or a drawing' : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
  return `The model takes it for ${what}${hasText ? ', with text in it' : ''}.`
}

/** Dots per inch that print shops ask for, and centimetres per inch. */
const DOTS = 300
const CENTIMETRES = 2.54

function size({ trials, useCase }: Known): readonly string[] {
  const { width, height, trialWidth, trialHeight } = trials
  const printSide = (side: number) => decimal((side / DOTS) * CENTIMETRES)
  return [
    ...(trialWidth !== width || trialHeight !== height
      ? [`Of its ${width} × ${height} pixels, ${useCase.longestSide} on the longer side are enough for ${useCase.name}.`]
      : []),
    ...(useCase.onPaper ? [`At ${DOTS} dots an inch it is ${printSide(width)} × ${printSide(height)} cm on paper.`] : []),
  ]
}

const percentOf = (part: number, whole: number): string => `${decimal((100 * part) / whole)} %`

const keeping: Readonly<Record<NonNullable<Choice['keeping']>, (facts: Known) => string>> = {
  'nothing smaller': ({ bytes }) =>
    `Nothing that was tried saves enough to be worth it: the file can stay as it is, with ${sizeOf(bytes)}.`,
  'nothing suitable': ({ useCase }) => `No format for ${useCase.name} holds all of it: it is best left as it is.`,
  'more inside': () => 'There are more frames or pages in the file, which would be lost: it is best left as it is.',
  'more colours': ({ trials: { deep } }) =>
    `${deep ? 'It has 16 bits a channel' : 'Its colours are inks (CMYK)'}, which would be lost: it is best left as it is.`,
}

function decision(facts: Known, { chosen, ranked, keeping: why }: Choice): readonly string[] {
  const { bytes } = facts
  if (why) return [keeping[why](facts)]
  if (!chosen) return []
  const than =
    chosen.bytes <= bytes
      ? `${percentOf(bytes - chosen.bytes, bytes)} less than the file`
      : `${percentOf(chosen.bytes - bytes, bytes)} more than the file, but ${nameOf(facts.trials.format)} is not for ${facts.useCase.name}`
  const likeness = chosen.exact ? 'every pixel stays as it is' : `its likeness to the picture (SSIM) is ${chosen.ssim.toFixed(3)}`
  const smallest = ranked.find((trial) => trial.bytes < chosen.bytes && looksAsPromised(trial, facts.trials))
  return [
    `${asWritten(chosen)} takes ${sizeOf(chosen.bytes)}, ${than}; ${likeness}.`,
    ...(smallest ? [`${asWritten(smallest)} would take ${sizeOf(smallest.bytes)}, but blur what has hard edges.`] : []),
  ]
}

function reservations({ trials, useCase }: Known, { ranked, chosen }: Choice): readonly string[] {
  const unlike = ranked.filter((trial) => !looksAsPromised(trial, trials))
  const left = [...new Set(trials.leftOut.map(nameOf))]
  return [
    ...unlike.map((trial) => `${asWritten(trial)} looks worse than it should on this picture (SSIM ${trial.ssim.toFixed(3)}).`),
    ...(left.length > 0 ? [`There was no time to try ${left.join(', ')}.`] : []),
    ...(chosen && useCase.exactOf === 'all'
      ? ['Conversion drops what is not pixels, such as EXIF: note what you need of it.']
      : []),
  ]
}

/** What a caller says about a file. Nothing is decided by it. */
export interface Claims {
  readonly filename: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly fileSize?: number | undefined
  readonly mimeType?: string | undefined
}

/** Format by each of its names, in media types and at the ends of file names. */
const names: ReadonlyMap<string, FormatName> = new Map(
  Object.entries(imageFormats).flatMap(([name, { extensions, subtypes }]) =>
    [...extensions, ...subtypes].map((word) => [word, name as FormatName] as const),
  ),
)

/** The format that a subtype or an extension means; undefined for what means no image that we know. */
function formatOf(word: string | undefined): FormatName | undefined {
  return names.get(word?.toLowerCase().replace(/^x-(ms-)?/, '') ?? '')
}

/** Wrong claims, as sentences. The caller's text is not repeated. */
export function contradictions(
  { filename, width, height, fileSize, mimeType }: Claims,
  bytes: number,
  file: Trials,
): readonly string[] {
  const namedText = formatOf(/\.([a-z0-9]{1,5})$/i.exec(filename)?.[1])
  const typedText = formatOf(mimeType?.split(';')[0]?.trim().split('/')[1])
  const format = file.format.toUpperCase()
  const differ = (claim: number | undefined, fact: number) => claim !== undefined && claim !== fact
  return [
    ...(namedText && namedText !== file.format
      ? [`Its name ends like ${namedText.toUpperCase()}, but the file is ${format}.`]
      : []),
    ...(typedText && typedText !== file.format
      ? [`The request calls it ${typedText.toUpperCase()}, but the file is ${format}.`]
      : []),
    ...(differ(width, file.width) || differ(height, file.height)
      ? [`It has ${file.width} × ${file.height} pixels, not what the request says.`]
      : []),
    ...(differ(fileSize, bytes) ? [`It has ${bytes.toLocaleString('en')} bytes, not what the request says.`] : []),
  ]
}
