import { writtenFormats } from '@pixelmill/codecs/image-formats'
import { colourOf, solidColour } from '../../dialects/colours.ts'
import { nameOfFormat } from '../../dialects/formats.ts'
import type { ParameterTable } from '../../dialects/parameter.ts'
import { notSupported, numberOf, oneOf, valueFault } from '../../dialects/values.ts'
import type { ImgixOptions } from '../options.ts'

/** Of colours and effects, what changes nothing says nothing. */
const percent = (name: string, value: string): number => numberOf(name, value, -100, 100)

/** What the picture looks like. */
export const lookParameters: ParameterTable<ImgixOptions> = {
  bri: { takes: '−100 to 100', read: (value, name) => ({ brightness: percent(name, value) }) },
  sat: { takes: '−100 to 100', read: (value, name) => ({ saturation: percent(name, value) }) },
  con: { takes: '−100 to 100', read: (value, name) => ({ contrast: percent(name, value) }) },
  vib: { takes: '−100 to 100', read: (value, name) => ({ vibrance: percent(name, value) }) },
  sepia: { takes: '0–100', read: (value, name) => ({ sepia: numberOf(name, value, 0, 100) }) },
  invert: {
    aliases: ['inv'],
    takes: '`true`',
    read: (value, name) => ({ isNegative: ['true', '1'].includes(oneOf(name, value, ['true', '1', 'false', '0'])) }),
  },
  px: { takes: 'pixels up to 100', read: (value, name) => ({ blockSize: numberOf(name, value, 0, 100) }) },
  mask: {
    takes: '`corners`; `ellipse`, of a square',
    read: (value, name) => ({ mask: oneOf(name, value, ['corners', 'ellipse']) }),
  },
  'corner-radius': {
    aliases: ['cornerradius'],
    takes: 'pixels, or four that are equal',
    read(value, name) {
      const [first = '', ...others] = value.split(',')
      if (others.some((other) => other !== first)) throw notSupported(name, value)
      return { cornerRadius: numberOf(name, first, 0, 10_000) }
    },
  },
  hue: { takes: '0–359', read: (value, name) => ({ hue: numberOf(name, value, -359, 359) }) },
  sharp: { takes: '0–100', read: (value, name) => ({ sharpen: numberOf(name, value, 0, 100) }) },
  usm: { takes: '0–100', read: (value, name) => ({ unsharpAmount: numberOf(name, value, 0, 100) }) },
  usmrad: { takes: '0–500; the default is 2.5', read: (value, name) => ({ unsharpRadius: numberOf(name, value, 0, 500) }) },
  blur: { takes: '0–2000; a tenth of it is the sigma', read: (value, name) => ({ blur: numberOf(name, value, 0, 2000) }) },
  monochrome: {
    aliases: ['mono'],
    takes: 'a colour',
    read(value, name) {
      const tint = solidColour(name, value, 'first')
      return tint === undefined ? {} : { tint }
    },
  },
  bg: {
    takes: 'a colour: 3, 4, 6 or 8 hexadecimal digits, opacity first, or a name of CSS',
    read(value, name) {
      const background = solidColour(name, value, 'first')
      return background === undefined ? {} : { background }
    },
  },
  fill: { takes: '`solid`', read: (value, name) => (oneOf(name, value, ['solid']) ? {} : {}) },
  'fill-max': {
    takes: '`source`, with `fit=fillmax`',
    read: (value) => (value.toLowerCase() === 'source' ? { isCanvasBounded: true } : {}),
  },
  'fill-color': {
    aliases: ['fillcolor'],
    takes: 'a colour',
    read: (value, name) => ({ fillColour: colourOf(name, value, 'first') }),
  },
}

/** What is laid over the picture. */
export const overlayParameters: ParameterTable<ImgixOptions> = {
  mark: { takes: 'a path of the source, or a URL below it', read: (value) => (value === '' ? {} : { mark: value }) },
  'mark-align': {
    aliases: ['markalign'],
    takes: '`top`, `middle`, `bottom`, `left`, `center`, `right`; the default is `bottom,right`',
    read: (value, name) => ({ markAlign: alignment(name, value) }),
  },
  'mark-alpha': { aliases: ['markalpha'], takes: '0–100', read: (value, name) => ({ markAlpha: numberOf(name, value, 0, 100) }) },
  'mark-w': {
    aliases: ['markw'],
    takes: 'pixels, or below 1 a share of the picture',
    read: (value, name) => ({ markWidth: size(name, value) }),
  },
  'mark-h': {
    aliases: ['markh'],
    takes: 'pixels, or below 1 a share of the picture',
    read: (value, name) => ({ markHeight: size(name, value) }),
  },
  'mark-scale': {
    aliases: ['markscale'],
    takes: '1–100 percent of the width',
    read: (value, name) => ({ markScale: numberOf(name, value, 1, 100) }),
  },
  'mark-pad': {
    aliases: ['markpad'],
    takes: 'pixels; the default is 10',
    read: (value, name) => ({ markPadding: pixels(name, value) }),
  },
  'mark-x': { aliases: ['markx'], takes: 'pixels from the left', read: (value, name) => ({ markX: pixels(name, value) }) },
  'mark-y': { aliases: ['marky'], takes: 'pixels from the top', read: (value, name) => ({ markY: pixels(name, value) }) },
  'mark-fit': {
    aliases: ['markfit'],
    takes: '`clip`, `max`',
    read: (value, name) => (oneOf(name, value, ['clip', 'max']) ? {} : {}),
  },
  border: {
    takes: '`width,colour`, opaque, over the picture',
    read(value, name) {
      const [width = '', ...colours] = value.split(',')
      const borderColour = solidColour(name, colours.join(','), 'first')
      if (borderColour === undefined) return {}
      return { border: numberOf(name, width, 0, 1000), borderColour }
    },
  },
}

const pixels = (name: string, value: string): number => Math.round(numberOf(name, value, 0, 10_000))
const size = (name: string, value: string): number => {
  const length = numberOf(name, value, 0.001, 10_000)
  return length < 1 ? length : Math.round(length)
}

function alignment(name: string, value: string): NonNullable<ImgixOptions['markAlign']> {
  const words = value
    .toLowerCase()
    .split(',')
    .map((word) => oneOf(name, word, ['top', 'middle', 'bottom', 'left', 'center', 'right']))
  const down = words.includes('top') ? 'north' : words.includes('middle') ? '' : 'south'
  const across = words.includes('left') ? 'west' : words.includes('center') ? '' : 'east'
  return (`${down}${across}` || 'center') as NonNullable<ImgixOptions['markAlign']>
}

/** How the picture is written. */
export const formatParameters: ParameterTable<ImgixOptions> = {
  fm: {
    takes: 'a format that can be written; `pjpg`, `png8`, `png32` are JPEG and PNG',
    read(value, name) {
      const format = nameOfFormat(formats[value.toLowerCase()] ?? value)
      if (format === undefined) throw valueFault(name, value, `is not supported; ${writtenFormats.join(', ')} are.`)
      return { format }
    },
  },
  auto: {
    takes: '`format` chooses by `Accept`; `compress`, `true` and `false` change nothing',
    read(value, name) {
      const words = value
        .split(',')
        .map((word) => word.trim().toLowerCase())
        .filter(Boolean)
      for (const word of words) if (word === 'enhance' || word === 'redeye') throw notSupported(name, word)
      return words.some((word) => word === 'format' || word === 'true') ? { isAuto: true } : {}
    },
  },
  q: { takes: '1–100 ([on one scale](quality.md))', read: (value, name) => ({ quality: quality(name, value) }) },
  lossless: {
    takes: '`0`; `1` with PNG, GIF, TIFF',
    read: (value, name) => ({ lossless: ['1', 'true'].includes(oneOf(name, value, ['0', '1', 'true', 'false'])) }),
  },
  cs: {
    takes: '`srgb`, `tinysrgb`, `strip`: all colours are converted to sRGB',
    read: (value, name) =>
      oneOf(name, value, ['srgb', 'tinysrgb', 'strip', 'origin']) === 'origin' ? refuseOrigin(name, value) : {},
  },
  chromasub: { takes: '`420`', read: (value, name) => (oneOf(name, value, ['420']) ? {} : {}) },
  dl: {
    takes: 'a file name: the picture is saved, not shown',
    read: (value) => (value === '' ? {} : { fileName: value.replace(/\.[^.]*$/, '') }),
  },
  expires: { takes: 'seconds since 1970', read: (value, name) => ({ expires: numberOf(name, value, 0, 253_402_300_799) }) },
}

const formats: Readonly<Record<string, string>> = { pjpg: 'jpeg', pjpeg: 'jpeg', png8: 'png', png24: 'png', png32: 'png' }

const quality = (name: string, value: string): number => Math.max(1, Math.round(numberOf(name, value, 0, 100)))

function refuseOrigin(name: string, value: string): never {
  throw notSupported(name, value)
}
