import { exactCoder } from './exact-coder.ts'
import type { FrameCoder } from './frame-coder.ts'
import { type GifFile, KEEP } from './gif-file.ts'
import { nearCoder } from './near-coder.ts'
import { pack } from './pack.ts'
import { asInFile, onTopOfEachOther } from './plan-frames.ts'
import { planPalettes } from './plan-palettes.ts'

/**
 * The same animation, packed better; undefined where it cannot be written anew.
 * @param ways 1–7, how many are tried for each frame
 */
export const repack = (gif: GifFile, ways: number): Buffer | undefined => packSmallest(gif, exactCoder(ways))

/**
 * An animation that looks nearly the same, in fewer bytes.
 * @param tolerance grey levels that a pixel may differ from the source; in a busy block more
 */
export const repackNear = (gif: GifFile, tolerance: number): Buffer | undefined => packSmallest(gif, nearCoder(tolerance))

function packSmallest(gif: GifFile, coder: FrameCoder): Buffer | undefined {
  const keepsAll = gif.frames.every(({ disposal }) => disposal === KEEP)
  const plans = keepsAll ? [asInFile] : [onTopOfEachOther, asInFile]
  let best: Buffer | undefined
  for (const planner of plans) {
    const plan = planner(gif)
    const palettes = planPalettes(gif, plan)
    const packed = palettes && pack(gif, plan, palettes, coder)
    if (packed && packed.length < (best?.length ?? Number.POSITIVE_INFINITY)) best = packed
  }
  return best
}
