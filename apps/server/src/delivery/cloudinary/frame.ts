import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Size } from '@pixelmill/codecs/pixels/size'
import {
  atLeastOne,
  coverBox,
  cutRegion,
  cutTo,
  isLarger,
  isWhole,
  largestOfRatio,
  type PartialBox,
  scaleInto,
  scaleTo,
  smallestAround,
  surroundTo,
  withRatio,
} from '../dialects/frames.ts'
import type { Sketch } from '../dialects/sketch.ts'
import type { Gravity } from '../dialects/values.ts'
import type { Component, CropMode, Length } from './options.ts'

/**
 * Scales and cuts as `c` says; without it to the sides that are given.
 * @param shareBase the picture of which shares are, where it is another one
 */
export function frame(sketch: Sketch, component: Component, original: Size, dpr: number, shareBase?: Size): void {
  const { crop = 'scale', ratio } = component
  const size = sketch.size
  const whole = shareBase ?? size
  const lengthOf = (length: Length | undefined, side: 'width' | 'height') =>
    length && atLeastOne(inPixels(length, whole[side], original[side]) * (length.of === 'pixels' ? dpr : 1))
  const askedBox = { width: lengthOf(component.width, 'width'), height: lengthOf(component.height, 'height') }
  if (ratio !== undefined && isWhole(askedBox)) throw invalidParam('ar', 'custom', 'Is not supported beside both of w and h.')
  const box = withRatio(askedBox, ratio)
  if (isWhole(box)) rows[crop](sketch, box, component)
  else if (box.width === undefined && box.height === undefined) toRatio(sketch, component)
  else if (crop === 'crop') part(sketch, { ...size, ...definedOf(box) }, component)
  else alongOneSide(sketch, box, crop)
}

const definedOf = ({ width, height }: PartialBox) => ({ ...(width && { width }), ...(height && { height }) })

export const inPixels = ({ value, of }: Length, picture: number, original: number): number =>
  of === 'pixels' ? value : value * (of === 'picture' ? picture : original)

/** With a ratio alone nothing is scaled: the picture is cut, or surrounded. */
function toRatio(sketch: Sketch, component: Component): void {
  const { crop = 'scale', ratio } = component
  if (ratio === undefined) return
  if (surrounding.has(crop)) surround(sketch, smallestAround(sketch.size, ratio), component)
  else if (cutting.has(crop))
    cutTo(sketch, largestOfRatio(sketch.size, ratio), { parameter: 'ar', gravity: gravityOf(sketch, component) })
  // Within no box every picture stays as it is.
  else if (crop === 'scale' || crop === 'mfit') throw invalidParam('ar', 'custom', `Needs w or h with c_${crop}.`)
}

const surrounding: ReadonlySet<CropMode> = new Set(['pad', 'lpad', 'mpad'])
const cutting: ReadonlySet<CropMode> = new Set(['fill', 'lfill', 'crop', 'thumb', 'auto'])

/** The other side follows, whatever the mode, unless it only makes smaller or larger. */
function alongOneSide(sketch: Sketch, box: PartialBox, crop: CropMode): void {
  const isSmaller = (box.width ?? 0) < sketch.size.width && (box.height ?? 0) < sketch.size.height
  if (isSmaller && (crop === 'mfit' || crop === 'mpad')) return
  scaleInto(sketch, box, { parameter: 'w', enlarge: !shrinkingOnly.has(crop) })
}

/** Those that never enlarge. */
const shrinkingOnly: ReadonlySet<CropMode> = new Set(['limit', 'lfill', 'lpad'])

type Row = (sketch: Sketch, box: Size, component: Component) => void

/** What each mode makes of a picture and a box. */
const rows: Readonly<Record<CropMode, Row>> = {
  scale: (sketch, box) => scaleTo(sketch, box, { parameter: 'w' }),
  fit: (sketch, box) => scaleInto(sketch, box, { parameter: 'w', enlarge: true }),
  limit: (sketch, box) => scaleInto(sketch, box, { parameter: 'w', enlarge: false }),
  mfit(sketch, box) {
    if (!isLarger(sketch.size, box)) scaleInto(sketch, box, { parameter: 'w', enlarge: true })
  },
  fill,
  lfill(sketch, box, component) {
    if (isLarger(box, sketch.size)) cutTo(sketch, box, { parameter: 'c', gravity: gravityOf(sketch, component) })
    else fill(sketch, box, component)
  },
  pad(sketch, box, component) {
    scaleInto(sketch, box, { parameter: 'w', enlarge: true })
    surround(sketch, box, component)
  },
  lpad(sketch, box, component) {
    scaleInto(sketch, box, { parameter: 'w', enlarge: false })
    surround(sketch, box, component)
  },
  mpad(sketch, box, component) {
    if (isLarger(sketch.size, box)) return
    scaleInto(sketch, box, { parameter: 'w', enlarge: true })
    surround(sketch, box, component)
  },
  crop: part,
  thumb(sketch, box, component) {
    if (component.isFace) throw invalidParam('g', 'custom', 'Faces are not found here: c_thumb is supported without g_face.')
    fill(sketch, box, component)
  },
  auto: (sketch, box, component) => fill(sketch, box, { ...component, gravity: component.gravity ?? 'subject' }),
}

function fill(sketch: Sketch, box: Size, component: Component): void {
  requireNoOffset(component)
  coverBox(sketch, box, { parameter: 'c', gravity: gravityOf(sketch, component) })
}

/** Cuts without scaling: at x and y from the top-left corner, or from the side that g names. */
function part(sketch: Sketch, box: Size, component: Component): void {
  const { gravity, x, y } = component
  const isPlaced = gravity !== 'xy' && gravity !== 'subject' && (x !== undefined || y !== undefined)
  const within = { width: Math.min(box.width, sketch.size.width), height: Math.min(box.height, sketch.size.height) }
  if (isPlaced) cutRegion(sketch, { ...cornerOf(sketch.size, within, component), ...box }, { parameter: 'c' })
  else cutTo(sketch, box, { parameter: 'c', gravity: gravityOf(sketch, component) })
}

/** A corner in pixels, from the side that g names; by default from the top-left corner. */
export function cornerOf({ width, height }: Size, box: Size, { gravity = 'northwest', x, y }: Component) {
  const { across, down } = sharesOf(gravity)
  const offset = (length: Length | undefined, whole: number) => (length ? Math.round(inPixels(length, whole, whole)) : 0)
  // Offsets count from the side inwards.
  const place = (share: number, free: number, by: number) => Math.round(free * share + (share === 1 ? -by : by))
  return {
    x: place(across, width - box.width, offset(x, width)),
    y: place(down, height - box.height, offset(y, height)),
  }
}

/** Where the picture is kept: a side, what is most salient, or the point at x and y. */
function gravityOf(sketch: Sketch, { gravity = 'center', x, y }: Component): Gravity {
  if (gravity !== 'xy') return gravity
  const { width, height } = sketch.size
  const share = (length: Length | undefined, whole: number) =>
    Math.min(1, Math.max(0, length ? inPixels(length, whole, whole) / whole : 0))
  return { x: share(x, width), y: share(y, height) }
}

/** Offsets of what is filled or surrounded are not supported. */
function requireNoOffset({ gravity, x, y }: Component): void {
  if (gravity === 'xy') return
  for (const [name, length] of Object.entries({ x, y }))
    if (length && length.value !== 0) throw invalidParam(name, 'custom', 'Is supported with c_crop, g_xy_center and layers.')
}

function surround(sketch: Sketch, box: Size, component: Component): void {
  const { gravity = 'center', background } = component
  requireNoOffset(component)
  const { across, down } = sharesOf(gravity)
  surroundTo(sketch, box, { parameter: 'c', across, down, ...(background !== undefined && { background }) })
}

/** A side or corner as shares of the free space; all else is the middle. */
function sharesOf(gravity: Gravity | 'xy'): { readonly across: number; readonly down: number } {
  const name = typeof gravity === 'string' ? gravity : 'center'
  const along = (start: string, end: string) => (name.includes(start) ? 0 : name.includes(end) ? 1 : 0.5)
  return { across: along('west', 'east'), down: along('north', 'south') }
}
