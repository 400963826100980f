import type { TestContext } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import type { CallersLane, LaneName, Pool, PoolSettings } from '@pixelmill/engine/rendering/pool'
import { operations } from '@pixelmill/engine/tasks/index'
import { until } from '@pixelmill/engine/test/support/until'
import { openPool } from '../support/rendering.ts'

/** What the tests of the lanes send to a pool. */

export const small = await solid(20, 20, '#123456').png().toBuffer()

/** Six megapixels: it takes longer than the lane sync works on one image. */
export const slow = await photo(300, 200).resize(3_000, 2_000).jpeg().toBuffer()

/** A small pool, which is closed at the end of the test. */
export function openedPool(t: TestContext, settings: Partial<PoolSettings> = {}): Pool {
  const pool = openPool(settings)
  t.after(() => pool.close())
  return pool
}

export function render(
  pool: Pool,
  lane: CallersLane,
  image: Buffer,
  format: 'webp' | 'avif' | 'jpeg' = 'webp',
  signal: AbortSignal = new AbortController().signal,
) {
  return pool.run('convert', operations.convert.params.parse({ format }), [[image]], signal, lane)
}

/** Whether a renderer of the lane begins to work. */
export const busy = (pool: Pool, lane: LaneName): Promise<boolean> => until(async () => pool.state(lane).busy > 0)
