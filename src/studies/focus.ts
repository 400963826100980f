import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { SALIENCE_SIDE, salienceOf } from '../image/salience/salience.ts'
import { readStrip } from '../image/strip.ts'
import { defineStudy } from './study.ts'

const side = z.int().min(1).max(limits.pixels)
const mapSide = z.int().min(1).max(SALIENCE_SIDE)

/** Where the picture stands out: a map of one byte a pixel, as its only file. */
export const focus = defineStudy({
  params: z.object({}),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    mapWidth: mapSide,
    mapHeight: mapSide,
  }),
  mostFiles: 1,
  fileBytes: SALIENCE_SIDE ** 2,
  async examine({ header: { width, height }, pixels }) {
    const small = pixels.resize({ width: SALIENCE_SIDE, height: SALIENCE_SIDE, fit: 'inside', withoutEnlargement: true })
    const strip = await readStrip(small, 1, false)
    const salience = salienceOf({ ...strip, data: Uint8Array.from(strip.data) })
    const map = Buffer.from(Uint8Array.from(salience, (share) => Math.round(share * 255)))
    return { report: { width, height, mapWidth: strip.width, mapHeight: strip.height }, files: [map] }
  },
})
