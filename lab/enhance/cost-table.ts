import type { Bitmap } from '@pixelmill/codecs/reader'
import type { EnhanceOptions } from '@pixelmill/vision/enhance/choose'
import { enhance } from '@pixelmill/vision/enhance/enhance'
import type { Table } from '../bench/report/table.ts'
import { blur, type Damage, noisy, pixelsOf } from './damage.ts'
import { decode } from './pictures.ts'

interface Work extends EnhanceOptions {
  readonly damage: Damage
  /** Seconds for a result of twelve megapixels. */
  readonly bar: number
}

const works: readonly Work[] = [
  { mode: 'denoise', intensity: 2, damage: noisy(10), bar: 3.5 },
  { mode: 'deblur', intensity: 2, damage: blur(1, 2), bar: 3.5 },
  { mode: 'upscale', intensity: 2, damage: (picture) => picture, bar: 6 },
  { mode: 'denoise', intensity: 3, damage: noisy(10), bar: Number.NaN },
  { mode: 'upscale', intensity: 3, damage: (picture) => picture, bar: Number.NaN },
]
const ROUNDS = 3

/** Seconds of one core, from pixels to pixels, without decoder and encoder. */
export async function costTable(large: Bitmap): Promise<Table> {
  const small = await decode(pixelsOf(large).resize(large.width / 2))
  const rows: string[][] = []
  for (const { mode, intensity, damage, bar } of works) {
    const picture = await damage(mode === 'upscale' ? small : large, 1)
    const seconds: number[] = []
    let operationNames = ''
    for (let round = 0; round < ROUNDS; round++) {
      const copy = { ...picture, data: Uint8Array.from(picture.data) }
      const began = process.cpuUsage()
      const { operations, picture: result } = enhance(copy, { mode, intensity })
      const { user, system } = process.cpuUsage(began)
      seconds.push(((user + system) / 1e6 / (result.width * result.height)) * 12e6)
      operationNames = operations.map(({ name }) => name).join(', ') || 'nothing'
    }
    const least = Math.min(...seconds)
    rows.push([
      mode,
      `${intensity}`,
      operationNames,
      least.toFixed(2),
      Number.isNaN(bar) ? '' : `${bar} ${least <= bar ? 'met' : 'MISSED'}`,
    ])
  }
  return { title: 'CPU seconds for 12 megapixels of the result', columns: ['mode', 'intensity', 'done', 'seconds', 'bar'], rows }
}
