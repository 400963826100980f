import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import type { Prepare } from '../preparation.ts'
import type { Original } from './original.ts'

/** Plans by the size of the original, which the renderer reads from its header. */
export const bySize =
  (plan: (original: Original) => Recipe): Prepare =>
  async (bytes, run) => {
    const { report } = await run('info', { fields: ['width', 'height', 'orientation'] }, [bytes])
    const { width = 1, height = 1, orientation = 1 } = report
    return { recipe: plan({ width, height, orientation }), files: new Map() }
  }
