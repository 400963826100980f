import type { Bitmap } from '@pixelmill/codecs/reader'
import { filledRows } from '@pixelmill/kernels/filters'
import { openWorkspace, type Workspace } from '@pixelmill/kernels/memory'
import { type PlaneName, type Planes, planeRows, writePlanes } from '@pixelmill/kernels/planes'
import type { PlaneRows } from '@pixelmill/kernels/rows'
import { halfGaussian } from './gaussian.ts'
import type { Step } from './steps.ts'

/**
 * Applies all steps row by row, without rounding between them.
 * @param picture RGB or RGBA; overwritten with the result if no step scales, which saves up to 640 MB
 */
export function runSteps(picture: Bitmap, grey: boolean, steps: readonly Step[]): Bitmap {
  const scale = steps.reduce((product, step) => product * step.scale, 1)
  const result = scale === 1 ? picture : blank(picture, scale)
  using workspace = openWorkspace()
  writePlanes(workspace, planesOf(workspace, picture, grey, steps), result)
  return result
}

function blank({ width, height, channels, data }: Bitmap, scale: number): Bitmap {
  const length = width * height * scale * scale * channels
  const samples = data.BYTES_PER_ELEMENT === 2 ? new Uint16Array(length) : new Uint8Array(length)
  return { width: width * scale, height: height * scale, channels, data: samples }
}

/** Each plane reads the picture itself, since filters look ahead by different numbers of rows. */
function planesOf(workspace: Workspace, picture: Bitmap, grey: boolean, steps: readonly Step[]): Planes {
  const hasHidden = hasHiddenPixels(picture)
  const source = (name: PlaneName) => planeRows(workspace, picture, { left: 0, top: 0, ...picture }, name)
  const colour = (name: PlaneName, plane: number): PlaneRows => {
    const rows = hasHidden ? filledRows(workspace, source(name), source('opacity'), fill) : source(name)
    return steps.reduce((current, step) => step.ofColour(workspace, current, plane), rows)
  }
  const opacity = (): PlaneRows => steps.reduce((current, step) => step.ofOpacity(workspace, current), source('opacity'))
  return {
    colours: grey ? [colour('grey', 0)] : [colour('light', 0), colour('redBlue', 1), colour('green', 2)],
    opacity: picture.channels === 4 ? opacity() : undefined,
  }
}

/**
 * Fully transparent pixels get the colour of the visible ones around them, so that hidden colours, often black, do not bleed into
 * visible ones: a mean weighted by opacity (normalised convolution, Knutsson and Westin 1993). Beyond this radius no step has an
 * effect.
 */
const fill = halfGaussian(4)

function hasHiddenPixels({ channels, data }: Bitmap): boolean {
  if (channels !== 4) return false
  for (let at = 3; at < data.length; at += 4) if (data[at] === 0) return true
  return false
}
