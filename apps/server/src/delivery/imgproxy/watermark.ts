import { limits } from '@pixelmill/codecs/contract/limits'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import type { RunTask } from '../preparation.ts'
import { cornerOf, halfToEven, offsetOf } from './gravity.ts'
import type { Mark } from './requested.ts'

/** The name of the watermark's file in the recipe. */
export const WATERMARK_FILE = 'watermark'

interface LaidMark {
  readonly file: Buffer
  readonly step: object
}

/**
 * A watermark for a picture. Recipes place marks by shares of the picture, imgproxy by pixels: so it is drawn first, with what separates
 * it from the nearest corner.
 * @param base the result, which gets it @param dpr multiplies offsets in pixels
 */
export async function laidMark(mark: Mark, base: Size, dpr: number, watermark: Buffer, run: RunTask): Promise<LaidMark> {
  const { report } = await run('info', { fields: ['width', 'height'] }, [watermark])
  const own = { width: report.width ?? 1, height: report.height ?? 1 }
  const size =
    mark.scale === 0 ? own : fittedSize(own, { width: share(base.width, mark.scale), height: share(base.height, mark.scale) })
  const drawing = mark.position === 'repeat' ? tileOf(mark, size, base, dpr) : placedAt(mark, mark.position, size, base, dpr)
  const steps = [
    ...(isSame(size, own) ? [] : [{ resize: { ...size, fit: 'fill' } }]),
    ...(drawing.crop ? [{ crop: drawing.crop }] : []),
    ...(drawing.extend ? [{ extend: drawing.extend }] : []),
  ]
  const recipe = recipeSchema.parse({ outputs: [{ steps, format: 'png' }] })
  const [image] = writtenImages(await run('recipe', { recipe, files: [], accepts: [], allows: [] }, [watermark]))
  if (!image) throw new Error('a watermark was not drawn')
  const placing = { image: WATERMARK_FILE, opacity: mark.opacity * 100, scale: image.width / base.width }
  return { file: image.bytes, step: { watermark: { ...placing, ...drawing.placing } } }
}

const share = (side: number, scale: number): number => Math.max(1, halfToEven(side * scale))
const isSame = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height

/** As large as fits, also where that is larger. */
function fittedSize(own: Size, box: Size): Size {
  const shrink = Math.max(own.width / box.width, own.height / box.height)
  const side = (length: number) => Math.max(1, Math.round(length / shrink))
  return { width: side(own.width), height: side(own.height) }
}

interface Drawing {
  readonly crop?: object
  readonly extend?: object
  readonly placing: object
}

/** One tile, which has the space to the next. */
function tileOf({ x, y }: Mark, size: Size, base: Size, dpr: number): Drawing {
  const across = Math.max(0, offsetOf(x, base.width, dpr))
  const down = Math.max(0, offsetOf(y, base.height, dpr))
  const visible = { width: Math.min(size.width, base.width), height: Math.min(size.height, base.height) }
  const right = Math.min(across, base.width - visible.width)
  const bottom = Math.min(down, base.height - visible.height)
  return {
    ...(isSame(visible, size) ? {} : { crop: { x: 0, y: 0, ...visible } }),
    ...(right + bottom > 0 && { extend: { right, bottom } }),
    placing: { tile: true, spacing: 0, position: 'center' },
  }
}

/** The visible part, with the space to the nearest corner. */
function placedAt({ x, y }: Mark, direction: Exclude<Mark['position'], 'repeat'>, size: Size, base: Size, dpr: number): Drawing {
  const { left, top } = cornerOf(base, size, { direction, x, y }, dpr, true)
  const across = alongSide(left, size.width, base.width, Math.ceil(base.width * limits.scale.min))
  const down = alongSide(top, size.height, base.height, 1)
  const visible = { width: across.length, height: down.length }
  const spaces = { left: across.before, right: across.after, top: down.before, bottom: down.after }
  return {
    ...(isSame(visible, size) ? {} : { crop: { x: across.from, y: down.from, ...visible } }),
    ...(Object.values(spaces).some((space) => space > 0) && { extend: spaces }),
    placing: { position: `${down.isAtEnd ? 'bottom' : 'top'}-${across.isAtEnd ? 'right' : 'left'}` },
  }
}

/** Along one side: what is visible of the mark, the nearer end of the picture, and the space to it. */
function alongSide(start: number, length: number, whole: number, least: number) {
  const from = Math.max(0, -start)
  const first = Math.max(0, start)
  const visible = Math.min(length - from, whole - first)
  const rest = whole - first - visible
  const isAtEnd = rest < first
  const near = isAtEnd ? rest : first
  const far = Math.max(0, least - visible - near)
  return { from, length: visible, isAtEnd, before: isAtEnd ? far : near, after: isAtEnd ? near : far }
}
