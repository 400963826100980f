import { anyGravity, hexColour, isGiven, number, type OptionRow, truth } from '../option.ts'

/** Which part of the picture is kept. */
export const partOptions: readonly OptionRow[] = [
  {
    names: ['gravity', 'g'],
    does: '`ce`, `no`, `noea` … with offsets, `fp:x:y`, `sm`.',
    read: (args, refuse) => ({ gravity: anyGravity(args, refuse) }),
  },
  {
    names: ['crop', 'c'],
    does: '`width:height:gravity`: pixels, below 1 shares of the picture, 0 all of it.',
    read([width, height, ...gravity], refuse) {
      const place = gravity.length > 0 ? anyGravity(gravity, refuse) : undefined
      const down = height === undefined ? 0 : number(height, refuse)
      return { crop: { width: number(width, refuse), height: down, gravity: place } }
    },
  },
  {
    names: ['trim', 't'],
    does: '`threshold:colour:equal_hor:equal_ver`; not of animations.',
    read([threshold, colour, across, down, ...more], refuse) {
      if (more.length > 0) throw refuse('Has at most four arguments.')
      if (!isGiven(threshold)) return { trim: undefined }
      return {
        trim: {
          threshold: number(threshold, refuse),
          colour: isGiven(colour) ? channelsOf(hexColour(colour, refuse)) : undefined,
          equalAcross: truth(across),
          equalDown: truth(down),
        },
      }
    },
  },
]

const channelsOf = (digits: string): readonly [number, number, number] => [
  Number.parseInt(digits.slice(0, 2), 16),
  Number.parseInt(digits.slice(2, 4), 16),
  Number.parseInt(digits.slice(4, 6), 16),
]
