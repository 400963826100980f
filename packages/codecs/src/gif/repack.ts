import { exactCoder } from './exact-coder.ts'
import { choicesFor, type FrameCoder } from './frame-coder.ts'
import { CLEAR, displayedFrames, dispose, type GifFile, KEEP, RESTORE, type Rectangle } from './gif-file.ts'
import { nearCoder } from './near-coder.ts'
import { areaOf, asInFile, type FramePlan, onTopOfEachOther } from './plan-frames.ts'
import { type FramePalette, type Palettes, planPalettes } from './plan-palettes.ts'
import { type PackedFrame, writeGif } from './write-gif.ts'

/**
 * Rewrites an animation losslessly in fewer bytes; undefined if it cannot be rewritten.
 * @param ways 1–7, attempts for each frame
 */
export const repack = (gif: GifFile, ways: number): Buffer | undefined => packSmallest(gif, exactCoder(ways))

/**
 * Rewrites an animation with colours within a tolerance, in fewer bytes.
 * @param tolerance grey levels by which a pixel may differ from the source; more in a busy block
 */
export const repackNear = (gif: GifFile, tolerance: number): Buffer | undefined => packSmallest(gif, nearCoder(tolerance))

function packSmallest(gif: GifFile, coder: FrameCoder): Buffer | undefined {
  const keepsAll = gif.frames.every(({ disposal }) => disposal === KEEP)
  const plans = keepsAll ? [asInFile] : [onTopOfEachOther, asInFile]
  let best: Buffer | undefined
  for (const planner of plans) {
    const plan = planner(gif)
    const palettes = planPalettes(gif, plan)
    const packedFrames = palettes && pack(gif, plan, palettes, coder)
    if (packedFrames && packedFrames.length < (best?.length ?? Number.POSITIVE_INFINITY)) best = packedFrames
  }
  return best
}

/** The animation with frames as planned, each as close to the source as the coder allows; undefined if a colour is missing. */
export function pack(gif: GifFile, plans: readonly FramePlan[], palettes: Palettes, coder: FrameCoder): Buffer | undefined {
  // The canvas under a frame, as a viewer of the new file has it.
  const shownCanvas = new Uint32Array(gif.width * gif.height)
  const packedFrames: PackedFrame[] = []
  let globalSize = 0
  for (const canvas of displayedFrames(gif)) {
    const frame = gif.frames[packedFrames.length]
    const plan = plans[packedFrames.length]
    const palette = palettes.frames[packedFrames.length]
    if (!frame || !plan || !palette) throw new Error('each frame has a plan and a palette')
    const coding = coder(canvas, shownCanvas, gif.width)
    const area = areaOf(gif, plan, (at) => coding.shows(at) === 0)
    const choices = choicesFor(canvas, gif.width, area, palette, coding.shows)
    if (!choices) return undefined
    const { data, indices } = coding.code(choices, palette.table.colours(), area)
    const { transparent } = palette
    const isTransparent = plan.disposal === CLEAR || indices.includes(transparent)
    const size = palette.table.colours().length
    if (palette.isGlobal) globalSize = Math.max(globalSize, isTransparent ? transparent + 1 : 0, size)
    packedFrames.push({
      ...area,
      delay: frame.delay,
      userInput: frame.userInput,
      disposal: plan.disposal,
      transparent: isTransparent ? transparent : undefined,
      palette: palette.isGlobal ? undefined : padPalette(palette, isTransparent),
      data,
    })
    const before = plan.disposal === RESTORE ? shownCanvas.slice() : undefined
    draw(indices, palette, area, shownCanvas, gif.width)
    dispose(area, plan.disposal, shownCanvas, gif.width, before)
  }
  const global = [...palettes.global.colours()]
  while (global.length < globalSize) global.push(0)
  return writeGif(gif, global, packedFrames)
}

/** Some readers require the transparent index to be in the palette. */
function padPalette({ table, transparent }: FramePalette, isTransparent: boolean): readonly number[] {
  const colours = [...table.colours()]
  while (isTransparent && colours.length <= transparent) colours.push(0)
  return colours
}

function draw(
  indices: Uint8Array,
  { table, transparent }: FramePalette,
  area: Rectangle,
  canvas: Uint32Array,
  across: number,
): void {
  const colours = table.colours()
  for (let row = 0, from = 0; row < area.height; row++) {
    let to = (area.top + row) * across + area.left
    for (const end = to + area.width; to < end; to++, from++) {
      const index = indices[from] ?? 0
      if (index !== transparent) canvas[to] = colours[index] ?? 0
    }
  }
}
