import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { isSvg } from '@pixelmill/engine/svg/recognise'
import type { SvgBox } from '@pixelmill/engine/tasks/svg'
import { ApiError } from '../contract/api-error.ts'
import type { Order } from './order.ts'
import type { RunTask } from './preparation.ts'

/** What is sent of an SVG: a copy without what could run, or what becomes of a picture of it. */
export interface SvgOriginal {
  readonly kind: 'copy' | 'picture'
  /** SVG of a copy, PNG of a picture. */
  readonly bytes: Buffer
}

/**
 * Prepares an original that is SVG as its source says; undefined for one that is not, or whose source refuses SVG.
 * @throws ApiError invalid_image_type where a change is asked for that the source does not allow; invalid_image, image_too_large
 */
export async function svgOriginal(
  { source, recipe, prepare }: Pick<Order, 'source' | 'recipe' | 'prepare'>,
  bytes: Buffer,
  runTask: RunTask,
): Promise<SvgOriginal | undefined> {
  if (source.svg === 'refuse' || !isSvg(bytes)) return undefined
  // What a dialect asks for is known only by the picture's size.
  if (!prepare && isUnchanged(recipe)) return { kind: 'copy', bytes: fileOf(await runTask('svgCopy', {}, [bytes])) }
  if (source.svg === 'pass')
    throw new ApiError('invalid_image_type', {
      message: 'The original is an SVG, which this source sends as it is: leave out the size, the format and all other changes.',
    })
  const box = prepare ? undefined : boxOf(recipe)
  return { kind: 'picture', bytes: fileOf(await runTask('svgPicture', box ? { box } : {}, [bytes])) }
}

function fileOf({ files: [file] }: { readonly files: readonly Buffer[] }): Buffer {
  if (!file) throw new Error('a task wrote no file')
  return file
}

/** Whether no size, no other step and no format of pixels is asked for. */
const isUnchanged = ({ steps, outputs: [output] }: Recipe): boolean =>
  steps.length === 0 && output?.steps.length === 0 && (output.format === 'auto' || output.format === 'same')

/** Steps after which width and height are no longer those of the drawing. */
const TURNS = ['rotate', 'crop', 'trim', 'extend']

/** The pixels that the first resize needs, so that it never enlarges a picture of the drawing; undefined without a size. */
function boxOf({ steps, outputs: [output] }: Recipe): SvgBox | undefined {
  const all = [...steps, ...(output?.steps ?? [])]
  const at = all.findIndex(({ resize }) => resize !== undefined)
  const resize = all[at]?.resize
  if (!resize) return undefined
  const { width, height, fit } = resize
  const dpr = output?.dpr ?? 1
  const isTurned = all.slice(0, at).some((earlier) => TURNS.some((name) => name in earlier))
  const sides = [width ?? [], height ?? []].flat().map((pixels) => pixels * dpr)
  // Large enough whichever way it is turned.
  if (isTurned) return { width: Math.max(...sides), height: Math.max(...sides), fit: 'outside' }
  const isInside = fit === 'inside' || fit === 'contain'
  return {
    ...(width !== undefined && { width: width * dpr }),
    ...(height !== undefined && { height: height * dpr }),
    fit: isInside ? 'inside' : 'outside',
  }
}
