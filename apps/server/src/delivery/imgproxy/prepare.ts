import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Box } from '@pixelmill/codecs/pixels/trim'
import { turnsBack } from '../dialects/original.ts'
import type { Prepare, RunTask } from '../preparation.ts'
import { layoutOf } from './layout.ts'
import { nameOf } from './options/file.ts'
import { recipeOf, requireSides, type Steps, stepsOf } from './recipe.ts'
import type { ImgproxyOptions, Trim } from './requested.ts'
import { laidMark, WATERMARK_FILE } from './watermark.ts'

/**
 * What imgproxy would make of a picture: its sizes depend on those of the picture.
 * @param readWatermark the picture of the operator
 */
export function preparation(options: ImgproxyOptions, readWatermark: () => Promise<Buffer>): Prepare {
  return async (original, run) => {
    if (options.raw) return 'original'
    const { report } = await run('info', { fields: ['format', 'width', 'height', 'orientation', 'frames'] }, [original])
    const { format = '', width = 1, height = 1, orientation = 1, frames = 1 } = report
    const isSame = options.format === undefined || nameOf(options.format) === format
    if (isSame && options.skips.includes(format)) return 'original'
    const box = options.trim && frames === 1 ? await trimmedBox(options.trim, { width, height }, original, run) : undefined
    const turnBack = options.autoRotate ? [] : turnsBack(orientation)
    const before: Steps = [
      ...(box ? [{ crop: { x: box.left, y: box.top, width: box.width, height: box.height } }] : []),
      ...turnBack,
    ]
    const size = box ?? { width, height }
    const layout = layoutOf(isTurned(orientation, options) ? onItsSide(size) : size, options)
    requireSides(layout.size)
    const steps = [...before, ...stepsOf(options, layout)]
    if (!options.watermark) return { recipe: recipeOf(options, steps, format), files: new Map() }
    const mark = await laidMark(options.watermark, layout.size, layout.dpr, await readWatermark(), run)
    return { recipe: recipeOf(options, [...steps, mark.step], format), files: new Map([[WATERMARK_FILE, mark.file]]) }
  }
}

/** Whether width and height change places: by the angle, and where the picture is shown as it is stored. */
function isTurned(orientation: number, { autoRotate, rotate }: ImgproxyOptions): boolean {
  const isStoredLying = !autoRotate && orientation >= 5
  return isStoredLying !== (rotate % 180 === 90)
}

const onItsSide = ({ width, height }: Size): Size => ({ width: height, height: width })

/** The picture without its border; undefined where there is none. */
async function trimmedBox(
  { threshold, colour, equalAcross, equalDown }: Trim,
  whole: Size,
  original: Buffer,
  run: RunTask,
): Promise<Box | undefined> {
  const border = colour && { colour: [...colour] as [number, number, number] }
  const { report } = await run('trimBox', { threshold, ...border }, [original])
  const across = equalAcross ? equally(report.left, report.width, whole.width) : { start: report.left, length: report.width }
  const down = equalDown ? equally(report.top, report.height, whole.height) : { start: report.top, length: report.height }
  if (across.length === whole.width && down.length === whole.height) return undefined
  return { left: across.start, top: down.start, width: across.length, height: down.length }
}

/** Cuts as much off either end as the narrower border has. */
function equally(start: number, length: number, whole: number) {
  const border = Math.min(start, whole - start - length)
  return { start: border, length: whole - 2 * border }
}
