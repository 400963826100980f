import { limits } from '@pixelmill/codecs/contract/limits'
import type { ParameterTable } from '../../dialects/parameter.ts'
import { type Gravity, notSupported, numberOf, oneOf, ratioOf, valueFault } from '../../dialects/values.ts'
import { type Component, cropModes, type Length } from '../options.ts'

const MOST = limits.side.max

/** Pixels; with a point a share of the picture; `iw` and `ih` are the sides of the original. */
function lengthOf(name: string, value: string): Length {
  if (value === (name === 'w' ? 'iw' : 'ih')) return { value: 1, of: 'original' }
  if (!/^[\d.]+$/.test(value)) throw notSupported(name, value)
  const length = numberOf(name, value, 0, MOST)
  if (length === 0) throw valueFault(name, value, 'must be above 0.')
  return value.includes('.') && length <= 10 ? { value: length, of: 'picture' } : { value: Math.round(length), of: 'pixels' }
}

function offsetOf(name: string, value: string): Length {
  const offset = numberOf(name, value, -limits.pixels, limits.pixels)
  return value.includes('.') && Math.abs(offset) <= 1
    ? { value: offset, of: 'picture' }
    : { value: Math.round(offset), of: 'pixels' }
}

const compass: Readonly<Record<string, Gravity>> = {
  center: 'center',
  north: 'north',
  north_east: 'northeast',
  east: 'east',
  south_east: 'southeast',
  south: 'south',
  south_west: 'southwest',
  west: 'west',
  north_west: 'northwest',
}

/** With these the service looks for what matters; here it is what is most salient. */
const salient = ['auto', 'face', 'faces', 'adv_face', 'adv_faces', 'adv_eyes', 'subject', 'liquid']

function gravityOf(name: string, value: string): Partial<Component> {
  if (value === 'xy_center') return { gravity: 'xy' }
  const side = compass[value]
  if (side !== undefined) return { gravity: side }
  const [first = ''] = value.split(':')
  if (first === 'liquid' || !salient.includes(first)) throw notSupported(name, value)
  return { gravity: 'subject', isFace: first !== 'auto' && first !== 'subject' }
}

/** How large the picture becomes, and which part of it is shown. */
export const sizeParameters: ParameterTable<Component> = {
  w: {
    takes: 'pixels up to 10,000; `0.5` of the picture; `iw`, `ih`',
    read: (value, name) => ({ width: lengthOf(name, value) }),
  },
  h: {
    takes: 'pixels up to 10,000; `0.5` of the picture; `iw`, `ih`',
    read: (value, name) => ({ height: lengthOf(name, value) }),
  },
  c: {
    takes: cropModes.map((mode) => `\`${mode}\``).join(', '),
    read: (value, name) => ({ crop: oneOf(name, value, cropModes) }),
  },
  g: {
    takes: 'sides, corners, `center`, `xy_center`; `auto`, `face`, `faces`: what is most salient',
    read: (value, name) => gravityOf(name, value),
  },
  x: { takes: 'pixels, or shares', read: (value, name) => ({ x: offsetOf(name, value) }) },
  y: { takes: 'pixels, or shares', read: (value, name) => ({ y: offsetOf(name, value) }) },
  ar: { takes: '`16:9`, `1.5`; without both of `w` and `h`', read: (value, name) => ({ ratio: ratioOf(name, value) }) },
  a: {
    takes: 'degrees clockwise, `hflip`, `vflip`, `exif`',
    read(value, name) {
      const turns = value.split('.')
      if (turns.every((turn) => turn === 'hflip' || turn === 'vflip'))
        return { flop: turns.includes('hflip'), flip: turns.includes('vflip') }
      if (value === 'exif') return {}
      if (!/^-?\d+$/.test(value)) throw notSupported(name, value)
      return { angle: ((numberOf(name, value, -360, 360) % 360) + 360) % 360 }
    },
  },
  dpr: {
    takes: '0.1–10; `auto` is 1',
    read: (value, name) => ({ dpr: value === 'auto' ? 1 : numberOf(name, value, 0.1, 10) }),
  },
}
