import { extension, isGiven, type OptionRow, positive, type Refuse, single, truth, whole } from '../option.ts'
import { type ImgproxyOptions, type ResizingType, resizingTypes } from '../requested.ts'

function typeOf(text: string, refuse: Refuse): ResizingType {
  const type = resizingTypes.find((name) => name === text)
  if (!type) throw refuse(`Must be one of ${resizingTypes.join(', ')}.`)
  return type
}

function sizeOf([width, height, enlarge, ...extend]: readonly string[], refuse: Refuse): Partial<ImgproxyOptions> {
  return {
    ...(isGiven(width) && { width: whole(width, refuse) }),
    ...(isGiven(height) && { height: whole(height, refuse) }),
    ...(isGiven(enlarge) && { enlarge: truth(enlarge) }),
    ...(isGiven(extend[0]) && { extend: extension(extend, refuse) }),
  }
}

/** The size of the result. */
export const sizeOptions: readonly OptionRow[] = [
  {
    names: ['resize', 'rs'],
    does: '`type:width:height:enlarge:extend`, each optional.',
    read: ([type = '', ...rest], refuse) => ({ ...(type !== '' && { type: typeOf(type, refuse) }), ...sizeOf(rest, refuse) }),
  },
  { names: ['size', 's'], does: '`width:height:enlarge:extend`, each optional.', read: sizeOf },
  {
    names: ['resizing_type', 'rt'],
    does: '`fit`, `fill`, `fill-down`, `force`, `auto`.',
    read: (args, refuse) => ({ type: typeOf(single(args, refuse), refuse) }),
  },
  {
    names: ['width', 'w'],
    does: 'The result has at most 10,000 pixels a side.',
    read: (args, refuse) => ({ width: whole(single(args, refuse), refuse) }),
  },
  { names: ['height', 'h'], does: 'As `width`.', read: (args, refuse) => ({ height: whole(single(args, refuse), refuse) }) },
  {
    names: ['min-width', 'mw'],
    does: 'As in imgproxy.',
    read: (args, refuse) => ({ minWidth: whole(single(args, refuse), refuse) }),
  },
  {
    names: ['min-height', 'mh'],
    does: 'As in imgproxy.',
    read: (args, refuse) => ({ minHeight: whole(single(args, refuse), refuse) }),
  },
  {
    names: ['zoom', 'z'],
    does: 'One factor, or `x:y`.',
    read([x, y, ...more], refuse) {
      if (more.length > 0) throw refuse('Has at most two factors.')
      const across = positive(x, refuse)
      return { zoom: { x: across, y: isGiven(y) ? positive(y, refuse) : across } }
    },
  },
  { names: ['dpr'], does: 'Above 0.', read: (args, refuse) => ({ dpr: positive(single(args, refuse), refuse) }) },
  { names: ['enlarge', 'el'], does: 'Off by default.', read: ([text]) => ({ enlarge: truth(text) }) },
  {
    names: ['extend', 'ex'],
    does: '`1:gravity`; in the colour of `background`.',
    read: (args, refuse) => ({ extend: extension(args, refuse) }),
  },
  {
    names: ['extend_aspect_ratio', 'extend_ar', 'exar'],
    does: 'The same, to the ratio of `width` and `height`.',
    read: (args, refuse) => ({ extendRatio: extension(args, refuse) }),
  },
  {
    names: ['padding', 'pd'],
    does: '`top:right:bottom:left`, as in CSS.',
    read([top, right, bottom, left, ...more], refuse, { padding }) {
      if (more.length > 0) throw refuse('Has at most four sides.')
      const side = (text: string | undefined, otherwise: number) => (isGiven(text) ? whole(text, refuse) : otherwise)
      const above = side(top, padding.top)
      const rightSide = side(right, above)
      return { padding: { top: above, right: rightSide, bottom: side(bottom, above), left: side(left, rightSide) } }
    },
  },
]
