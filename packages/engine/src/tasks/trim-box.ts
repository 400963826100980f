import { limits } from '@pixelmill/codecs/contract/limits'
import { medianTrimBox } from '@pixelmill/codecs/pixels/median-trim'
import { readStrip } from '@pixelmill/codecs/pixels/strip'
import { z } from 'zod'
import { defineTask } from './task.ts'

const level = z.int().min(0).max(255)
const offset = z.int().min(0).max(limits.pixels)
const side = z.int().min(1).max(limits.pixels)

/** Where the picture lies within a border of one colour, for callers that cut it off by rules of their own. Of an animation the first frame. */
export const trimBox = defineTask({
  params: z.object({
    /** How much a channel may differ, in levels of 255. */
    threshold: z.number().min(0),
    /** Red, green and blue of the border; by default those of the top-left pixel. Magenta is transparency. */
    colour: z.tuple([level, level, level]).exactOptional(),
  }),
  report: z.object({ left: offset, top: offset, width: side, height: side }),
  mostFiles: 0,
  fileBytes: 0,
  async run({ pixels }, { threshold, colour }) {
    const strip = await readStrip(pixels, 1, false)
    return { report: medianTrimBox(strip, threshold, colour), files: [] }
  },
})
