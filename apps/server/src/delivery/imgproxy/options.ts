import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { formatAliases } from '@pixelmill/codecs/image-formats'

/** What the options of an imgproxy URL ask for, as far as it can be carried out. */
export interface ImgproxyOptions {
  readonly type: 'fit' | 'fill' | 'force'
  readonly width: number
  readonly height: number
  readonly enlarge: boolean
  readonly dpr: number
  readonly gravity: Gravity
  readonly crop: { readonly width: number; readonly height: number; readonly gravity: Gravity | undefined } | undefined
  readonly rotate: number
  readonly flop: boolean
  readonly flip: boolean
  readonly blur: number
  readonly sharpen: number
  readonly background: string | undefined
  readonly watermark: Mark | undefined
  /** 0 is the default of the server. */
  readonly quality: number
  readonly formatQuality: ReadonlyMap<string, number>
  readonly maxBytes: number
  readonly format: string | undefined
  readonly stripsMetadata: boolean
  readonly keepsCopyright: boolean
  readonly stripsProfile: boolean
  /** Seconds since 1970. */
  readonly expires: number | undefined
  /** Makes it another image for caches. */
  readonly buster: string | undefined
}

export type Gravity = string | { readonly x: number; readonly y: number }

interface Mark {
  /** 0 to 1. */
  readonly opacity: number
  readonly position: string
  readonly scale: number
}

export const DEFAULTS: ImgproxyOptions = {
  type: 'fit',
  width: 0,
  height: 0,
  enlarge: false,
  dpr: 1,
  gravity: 'center',
  crop: undefined,
  rotate: 0,
  flop: false,
  flip: false,
  blur: 0,
  sharpen: 0,
  background: undefined,
  watermark: undefined,
  quality: 0,
  formatQuality: new Map(),
  maxBytes: 0,
  format: undefined,
  stripsMetadata: true,
  keepsCopyright: true,
  stripsProfile: true,
  expires: undefined,
  buster: undefined,
}

type Presets = ReadonlyMap<string, readonly string[]>

/**
 * What is requested, with the options added in their order: `rs:fill:300:200`.
 * @throws ApiError invalid_params with the name of an option that is faulty, unknown or not supported
 */
export function withOptions(
  requestedOptions: ImgproxyOptions,
  options: readonly string[],
  presets: Presets,
  within: readonly string[] = [],
): ImgproxyOptions {
  let askedOptions = requestedOptions
  for (const option of options) {
    const [name = '', ...args] = option.split(':')
    const refuse: Refuse = (message) => fault(name, message)
    if (name === 'preset' || name === 'pr') {
      askedOptions = withPresets(askedOptions, args, presets, within, refuse)
      continue
    }
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (!row) throw refuse('Is not supported: docs/imgproxy.md lists the options that are.')
    askedOptions = Object.assign({}, askedOptions, row(args, refuse, askedOptions))
  }
  return askedOptions
}

function withPresets(
  requestedOptions: ImgproxyOptions,
  names: readonly string[],
  presets: Presets,
  within: readonly string[],
  refuse: Refuse,
): ImgproxyOptions {
  return names.reduce((before, name) => {
    const options = presets.get(name)
    if (!options) throw refuse(`There is no preset "${name.slice(0, 40)}" in IMGPROXY_PRESETS.`)
    // imgproxy ignores a preset inside itself too.
    return within.includes(name) ? before : withOptions(before, options, presets, [...within, name])
  }, requestedOptions)
}

/** Makes the error of an option. */
type Refuse = (message: string) => Error
/** What an option changes. */
type Row = (args: readonly string[], refuse: Refuse, before: ImgproxyOptions) => Partial<ImgproxyOptions>

const fault = (name: string, message: string): Error => invalidParam(name.slice(0, 40), 'custom', message)

const DECIMAL = /^-?\d+(?:\.\d+)?$/

function number(text: string | undefined, refuse: Refuse, min = 0, max = Number.POSITIVE_INFINITY): number {
  const value = text !== undefined && DECIMAL.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw refuse(max === Number.POSITIVE_INFINITY ? `Must be a number from ${min}.` : `Must be a number from ${min} to ${max}.`)
}

function whole(text: string | undefined, refuse: Refuse, min = 0, max = Number.POSITIVE_INFINITY): number {
  const value = number(text, refuse, min, max)
  if (!Number.isInteger(value)) throw refuse('Must be a whole number.')
  return value
}

/** As imgproxy reads it: what it does not know is false. */
const truth = (text: string | undefined): boolean => ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text ?? '')

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''
const isMoved = (...offsets: readonly (string | undefined)[]) => offsets.some((text) => isGiven(text) && Number(text) !== 0)

const directions: Readonly<Record<string, string>> = {
  ce: 'center',
  no: 'north',
  noea: 'northeast',
  ea: 'east',
  soea: 'southeast',
  so: 'south',
  sowe: 'southwest',
  we: 'west',
  nowe: 'northwest',
}

function gravityOf([type = '', x, y, ...more]: readonly string[], refuse: Refuse): Gravity {
  if (type === 'fp' && more.length === 0) return { x: number(x, refuse, 0, 1), y: number(y, refuse, 0, 1) }
  if (type === 'sm' && x === undefined) return 'subject'
  const word = Object.hasOwn(directions, type) ? directions[type] : undefined
  if (word === undefined || more.length > 0) throw refuse(`Must be one of ${Object.keys(directions).join(', ')}, sm, or fp:x:y.`)
  if (isMoved(x, y)) throw refuse('Offsets are not supported.')
  return word
}

function typeOf(text: string | undefined, refuse: Refuse): ImgproxyOptions['type'] {
  const foundText = (['fit', 'fill', 'force'] as const).find((type) => type === text)
  if (!foundText) throw refuse('Of the resizing types, fit, fill and force are supported.')
  return foundText
}

const size: Row = ([width, height, enlarge, extend, ...more], refuse) => {
  if (more.length > 0 || truth(extend)) throw refuse('Extending is not supported.')
  return {
    ...(isGiven(width) && { width: whole(width, refuse) }),
    ...(isGiven(height) && { height: whole(height, refuse) }),
    ...(isGiven(enlarge) && { enlarge: truth(enlarge) }),
  }
}

const resize: Row = ([type, ...rest], refuse, before) => ({
  ...(isGiven(type) && { type: typeOf(type, refuse) }),
  ...size(rest, refuse, before),
})

const crop: Row = ([width, height, ...gravity], refuse) => {
  const side = (text: string | undefined) => {
    const value = number(text, refuse)
    if (value < 1) throw refuse('Both sides must be pixels: shares of the picture, and 0 for all of it, are not supported.')
    return Math.floor(value)
  }
  const place = gravity.length > 0 ? gravityOf(gravity, refuse) : undefined
  return { crop: { width: side(width), height: side(height), gravity: place } }
}

const rotate: Row = ([text], refuse) => {
  const angle = whole(text, refuse, Number.NEGATIVE_INFINITY)
  if (angle % 90 !== 0) throw refuse('Must be a multiple of 90.')
  return { rotate: ((angle % 360) + 360) % 360 }
}

const background: Row = (args, refuse) => {
  const [first = ''] = args
  if (args.length === 1 && first === '') return { background: undefined }
  if (args.length === 1 && /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(first)) return { background: `#${first}` }
  if (args.length !== 3) throw refuse('Must be hexadecimal digits, or three numbers from 0 to 255.')
  const channels = args.map((part) => whole(part, refuse, 0, 255).toString(16).padStart(2, '0'))
  return { background: `#${channels.join('')}` }
}

const watermark: Row = ([opacity, position = '', x, y, scale, ...more], refuse) => {
  const place = position === 're' ? 're' : position === '' ? 'center' : gravityOf([position], refuse)
  if (more.length > 0 || typeof place !== 'string' || place === 'subject')
    throw refuse('Must be opacity:position:0:0:scale, with a side, a corner, ce or re as its position.')
  if (isMoved(x, y)) throw refuse('Offsets are not supported.')
  const share = number(opacity, refuse, 0, 1)
  if (share === 0) return { watermark: undefined }
  if (!isGiven(scale)) throw refuse('Needs a scale from 0.01 to 1: a watermark in its own size is not supported.')
  return { watermark: { opacity: share, position: place, scale: number(scale, refuse, 0.01, 1) } }
}

const formatQuality: Row = (args, refuse, { formatQuality }) => {
  if (args.length % 2 !== 0) throw refuse('Must be formats with a number each.')
  const pairs = args.flatMap((format, at) =>
    at % 2 === 0 ? [[nameOf(format), whole(args[at + 1], refuse, 0, 100)] as const] : [],
  )
  return { formatQuality: new Map([...formatQuality, ...pairs]) }
}

/** As our formats are called. */
export const nameOf = (format: string): string => formatAliases.get(format) ?? format

/** An option that is supported with the value that it has anyway. */
const only =
  (value: boolean): Row =>
  ([text], refuse) => {
    if (truth(text) !== value) throw refuse(`Is supported with ${value ? 1 : 0} only.`)
    return {}
  }

const both = (name: string, short: string, row: Row) => ({ [name]: row, [short]: row })
const format: Row = ([text = '']) => ({ format: text })

const rows: Readonly<Record<string, Row>> = {
  ...both('resize', 'rs', resize),
  ...both('size', 's', size),
  ...both('resizing_type', 'rt', ([text], refuse) => ({ type: typeOf(text, refuse) })),
  ...both('width', 'w', ([text], refuse) => ({ width: whole(text, refuse) })),
  ...both('height', 'h', ([text], refuse) => ({ height: whole(text, refuse) })),
  ...both('enlarge', 'el', ([text]) => ({ enlarge: truth(text) })),
  dpr: ([text], refuse) => ({ dpr: number(text, refuse, 0.1, 5) }),
  ...both('gravity', 'g', (args, refuse) => ({ gravity: gravityOf(args, refuse) })),
  ...both('crop', 'c', crop),
  ...both('rotate', 'rot', rotate),
  ...both('flip', 'fl', ([across, down]) => ({ flop: truth(across), flip: truth(down) })),
  ...both('blur', 'bl', ([text], refuse) => ({ blur: number(text, refuse) })),
  ...both('sharpen', 'sh', ([text], refuse) => ({ sharpen: number(text, refuse) })),
  ...both('background', 'bg', background),
  ...both('watermark', 'wm', watermark),
  ...both('quality', 'q', ([text], refuse) => ({ quality: whole(text, refuse, 0, 100) })),
  ...both('format_quality', 'fq', formatQuality),
  ...both('max_bytes', 'mb', ([text], refuse) => ({ maxBytes: whole(text, refuse) })),
  ...both('format', 'f', format),
  ext: format,
  ...both('strip_metadata', 'sm', ([text]) => ({ stripsMetadata: truth(text) })),
  ...both('keep_copyright', 'kcr', ([text]) => ({ keepsCopyright: truth(text) })),
  ...both('strip_color_profile', 'scp', ([text]) => ({ stripsProfile: truth(text) })),
  ...both('auto_rotate', 'ar', only(true)),
  ...both('enforce_thumbnail', 'eth', only(false)),
  ...both('return_attachment', 'att', only(false)),
  raw: only(false),
  ...both('expires', 'exp', ([text], refuse) => ({ expires: whole(text, refuse) || undefined })),
  ...both('cachebuster', 'cb', ([text]) => ({ buster: text })),
}

/** For the documentation and its test. */
export const supportedOptions: readonly string[] = [...Object.keys(rows), 'preset', 'pr']
