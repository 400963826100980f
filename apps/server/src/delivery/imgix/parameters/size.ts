import { limits } from '@pixelmill/codecs/contract/limits'
import type { ParameterTable } from '../../dialects/parameter.ts'
import { numberOf, oneOf, ratioOf, valueFault } from '../../dialects/values.ts'
import { type CropMode, fits, type ImgixOptions, type Rect } from '../options.ts'

const MOST = limits.side.max

/** A whole length, or below 1 a share of the original. */
function lengthOf(name: string, value: string): number {
  const length = numberOf(name, value, 0, MOST)
  if (length === 0) throw valueFault(name, value, 'must be above 0.')
  return length < 1 ? length : Math.round(length)
}

const pixels = (name: string, value: string): number => Math.round(numberOf(name, value, 1, MOST))

/** Values without a meaning, which imgix ignores and URLs often have. */
const withoutMeaning: readonly string[] = ['default', 'center', 'centre', 'middle', 'none', '']

const sides = ['top', 'bottom', 'left', 'right'] as const
const salient = ['faces', 'face', 'entropy', 'edges'] as const

/** Those of a list are tried in their order, such as faces,top: what is salient is always found. */
function cropModeOf(name: string, value: string): CropMode | undefined {
  const words = value
    .toLowerCase()
    .split(',')
    .filter((word) => !withoutMeaning.includes(word))
  for (const word of words) oneOf(name, word, [...sides, ...salient, 'focalpoint'])
  const [first] = words
  if (first === undefined) return undefined
  if (first === 'focalpoint') return first
  if (salient.some((word) => word === first)) return 'subject'
  const down = words.includes('top') ? 'north' : words.includes('bottom') ? 'south' : ''
  const across = words.includes('left') ? 'west' : words.includes('right') ? 'east' : ''
  return `${down}${across}` as CropMode
}

const starts: Readonly<Record<string, 'start' | 'middle' | 'end'>> = {
  left: 'start',
  top: 'start',
  center: 'middle',
  middle: 'middle',
  right: 'end',
  bottom: 'end',
}

function rectOf(name: string, value: string): Rect {
  const parts = value.split(',')
  const [x = '', y = '', width = '', height = ''] = parts
  if (parts.length !== 4) throw valueFault(name, value, 'must be x,y,width,height.')
  const offset = (text: string) => starts[text.toLowerCase()] ?? numberOf(name, text, 0, limits.pixels)
  const length = (text: string) => numberOf(name, text, 0.001, limits.pixels)
  return { x: offset(x), y: offset(y), width: length(width), height: length(height) }
}

const degrees: Readonly<Record<string, number>> = { 90: 6, 180: 3, 270: 8 }

const padding = (name: string, value: string): number => Math.round(numberOf(name, value, 0, MOST / 2))

/** How large the picture becomes, and which part of it is shown. */
export const sizeParameters: ParameterTable<ImgixOptions> = {
  w: {
    takes: 'pixels up to 10,000; below 1 a share of the original',
    read: (value, name) => ({ width: lengthOf(name, value) }),
  },
  h: {
    takes: 'pixels up to 10,000; below 1 a share of the original',
    read: (value, name) => ({ height: lengthOf(name, value) }),
  },
  'max-w': { aliases: ['maxw'], takes: 'with `fit=crop`', read: (value, name) => ({ mostWidth: pixels(name, value) }) },
  'max-h': { aliases: ['maxh'], takes: 'with `fit=crop`', read: (value, name) => ({ mostHeight: pixels(name, value) }) },
  'min-w': { aliases: ['minw'], takes: 'with `fit=crop`', read: (value, name) => ({ leastWidth: pixels(name, value) }) },
  'min-h': { aliases: ['minh'], takes: 'with `fit=crop`', read: (value, name) => ({ leastHeight: pixels(name, value) }) },
  dpr: { takes: '0.1–8', read: (value, name) => ({ dpr: numberOf(name, value, 0.1, 8) }) },
  fit: {
    takes: fits.map((fit) => `\`${fit}\``).join(', '),
    read: (value, name) => (withoutMeaning.includes(value.toLowerCase()) ? {} : { fit: oneOf(name, value, fits) }),
  },
  ar: {
    takes: 'with `fit=crop`; with `fit=fill` beside `w` or `h`',
    read: (value, name) => ({ ratio: ratioOf(name, value) }),
  },
  crop: {
    takes: '`top`, `bottom`, `left`, `right`, corners; `focalpoint`; `faces`, `entropy`, `edges`: what is most salient',
    read(value, name) {
      const crop = cropModeOf(name, value)
      return crop === undefined ? {} : { crop }
    },
  },
  'fp-x': { takes: '0–1', read: (value, name) => ({ focusX: numberOf(name, value, 0, 1) }) },
  'fp-y': { takes: '0–1', read: (value, name) => ({ focusY: numberOf(name, value, 0, 1) }) },
  'fp-z': { takes: '1–100', read: (value, name) => ({ focusZoom: numberOf(name, value, 1, 100) }) },
  rect: {
    takes: '`x,y,w,h` in pixels or shares; `x` and `y` also sides',
    read: (value, name) => ({ rect: rectOf(name, value) }),
  },
  trim: {
    takes: '`auto`, `color`: by the colour of the top-left pixel',
    read: (value, name) => (value === '' || !oneOf(name, value, ['auto', 'color', 'colour']) ? {} : { trim: true }),
  },
  'trim-tol': { aliases: ['trimtol'], takes: '0–255', read: (value, name) => ({ trimTolerance: numberOf(name, value, 0, 255) }) },
  'trim-md': { aliases: ['trimmd'], takes: '0–255', read: (value, name) => ({ trimTolerance: numberOf(name, value, 0, 255) }) },
  'trim-pad': { aliases: ['trimpad'], takes: 'pixels', read: (value, name) => ({ trimPadding: padding(name, value) }) },
  flip: {
    takes: '`h`, `v`, `hv`',
    read(value, name) {
      const axes = oneOf(name, value, ['h', 'v', 'hv', 'vh'])
      return { flop: axes.includes('h'), flip: axes.includes('v') }
    },
  },
  rot: {
    takes: 'counter-clockwise, zoomed to cover the frame',
    read: (value, name) => ({ rotate: (numberOf(name, value, -360, 360) + 360) % 360 }),
  },
  orient: {
    aliases: ['or'],
    takes: '0–8 of EXIF, `90`, `180`, `270`',
    read(value, name) {
      const orientation = degrees[value] ?? numberOf(name, value, 0, 8)
      if (!Number.isInteger(orientation)) throw valueFault(name, value, 'must be a whole number.')
      return { orient: Math.max(1, orientation) }
    },
  },
  pad: { takes: 'pixels; within `w` and `h`', read: (value, name) => ({ pad: padding(name, value) }) },
  'pad-top': { takes: 'pixels; within `w` and `h`', read: (value, name) => ({ padTop: padding(name, value) }) },
  'pad-right': { takes: 'pixels; within `w` and `h`', read: (value, name) => ({ padRight: padding(name, value) }) },
  'pad-bottom': { takes: 'pixels; within `w` and `h`', read: (value, name) => ({ padBottom: padding(name, value) }) },
  'pad-left': { takes: 'pixels; within `w` and `h`', read: (value, name) => ({ padLeft: padding(name, value) }) },
}
