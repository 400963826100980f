import { acceptedFormat } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { MiB } from '@pixelmill/codecs/contract/limits'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { writtenImages } from '@pixelmill/engine/tasks/recipe'
import type { RenderingSettings } from '../environment.ts'
import type { LoadedRecipe } from '../recipe.ts'
import type { Engine } from './engine.ts'
import { openPool } from './pool.ts'

/** As many bytes as a renderer takes: the limit of uploads is the server's. */
const MOST_BYTES = 512 * MiB

/**
 * Renderer processes of this machine, confined as those of a server, without a database.
 * @param note is told what concerns neither an image nor the whole run
 * @throws StartError
 */
export async function openLocalEngine(
  recipe: LoadedRecipe,
  settings: RenderingSettings,
  jobs: number,
  note: (text: string) => void,
): Promise<Engine> {
  const { pool, close } = await openPool(settings, jobs, note)
  return { ...poolEngine(pool, recipe, settings, jobs), [Symbol.asyncDispose]: close }
}

/** An engine that shares a pool with others; who opened the pool closes it. */
export function poolEngine(pool: Pool, { recipe, files }: LoadedRecipe, settings: RenderingSettings, jobs: number): Engine {
  const further = [...files.values()].map((bytes) => [bytes])
  const params = { recipe, files: [...files.keys()], ...acceptedBy(undefined) }
  return {
    jobs,
    async render(source, signal) {
      if (source.length > MOST_BYTES) throw new ApiError('file_too_large', { message: 'The file has more than 512 MiB.' })
      if (source.length === 0) throw new ApiError('invalid_image', { message: 'The file is empty.' })
      if (!acceptedFormat([source], settings.HEIC)) throw new ApiError('invalid_image_type')
      return writtenImages(await pool.run('recipe', params, [[source], ...further], signal, 'background'))
    },
    async [Symbol.asyncDispose]() {},
  }
}
