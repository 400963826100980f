import { hexColour, isDirection, isGiven, number, type OptionRow, offset, type Refuse, single, truth, whole } from '../option.ts'
import type { Mark } from '../requested.ts'

function positionOf(text: string | undefined, refuse: Refuse): Mark['position'] {
  if (!isGiven(text)) return 'ce'
  if (text === 're') return 'repeat'
  if (isDirection(text)) return text
  throw refuse('Must have ce, re, a side or a corner as its position; ch is of imgproxy Pro.')
}

/** How the picture looks. */
export const lookOptions: readonly OptionRow[] = [
  {
    names: ['auto_rotate', 'ar'],
    does: '0 shows the picture as it is stored.',
    read: ([text]) => ({ autoRotate: truth(text) }),
  },
  {
    names: ['rotate', 'rot'],
    does: 'Multiples of 90.',
    read(args, refuse) {
      const angle = whole(single(args, refuse), refuse, Number.NEGATIVE_INFINITY)
      if (angle % 90 !== 0) throw refuse('Must be a multiple of 90.')
      return { rotate: ((angle % 360) + 360) % 360 }
    },
  },
  {
    names: ['flip', 'fl'],
    does: '`horizontal:vertical`.',
    read: ([across, down]) => ({ flop: truth(across), flip: truth(down) }),
  },
  {
    names: ['background', 'bg'],
    does: '`R:G:B`, or 3 or 6 hexadecimal digits.',
    read(args, refuse) {
      const [first = ''] = args
      if (args.length === 1) return { background: first === '' ? undefined : `#${hexColour(first, refuse)}` }
      if (args.length !== 3) throw refuse('Must be hexadecimal digits, or three numbers from 0 to 255.')
      const channels = args.map((part) => whole(part, refuse, 0, 255).toString(16).padStart(2, '0'))
      return { background: `#${channels.join('')}` }
    },
  },
  {
    names: ['blur', 'bl'],
    does: 'Sigma from 0.3 to 100; 0 is none.',
    read: (args, refuse) => ({ blur: number(single(args, refuse), refuse) }),
  },
  {
    names: ['sharpen', 'sh'],
    does: 'Sigma from 0.3 to 10; 0 is none.',
    read: (args, refuse) => ({ sharpen: number(single(args, refuse), refuse) }),
  },
  {
    names: ['pixelate', 'pix'],
    does: 'Pixels of a block; up to 1 is none.',
    read: (args, refuse) => ({ pixelate: whole(single(args, refuse), refuse) }),
  },
  {
    names: ['watermark', 'wm'],
    does: '`opacity:position:x:y:scale`; `re` repeats it.',
    read([opacity, position, x, y, scale, ...more], refuse) {
      if (more.some(isGiven)) throw refuse('Has at most five arguments.')
      const share = number(opacity, refuse, 0, 1)
      const mark: Mark = {
        opacity: share,
        position: positionOf(position, refuse),
        x: offset(x, refuse),
        y: offset(y, refuse),
        scale: isGiven(scale) ? number(scale, refuse) : 0,
      }
      return { watermark: share === 0 ? undefined : mark }
    },
  },
]
