import { acceptedBy } from '../../codecs/accept.ts'
import { acceptedFormat } from '../../codecs/index.ts'
import { ApiError } from '../../contract/api-error.ts'
import { MiB } from '../../contract/limits.ts'
import { readCredential } from '../../provenance/credential.ts'
import { signedPool } from '../../provenance/signed-pool.ts'
import { startSigner } from '../../provenance/signer.ts'
import { type Pool, startPool } from '../../rendering/pool.ts'
import { confineRenderers } from '../../rendering/sandbox/renderers.ts'
import { writtenImages } from '../../tasks/recipe.ts'
import type { RenderingSettings } from '../environment.ts'
import type { LoadedRecipe } from '../recipe/load.ts'
import type { Engine } from './engine.ts'

/** As many bytes as a renderer takes: the limit of uploads is the server's. */
const MOST_BYTES = 512 * MiB

/**
 * Renderer processes of this machine, confined as those of a server, without a database.
 * @param note is told what concerns neither an image nor the whole run
 * @throws StartError
 */
export async function openLocalEngine(
  { recipe, files }: LoadedRecipe,
  settings: RenderingSettings,
  jobs: number,
  note: (text: string) => void,
): Promise<Engine> {
  const { pool, close } = await openPool(settings, jobs, note)
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
    [Symbol.asyncDispose]: close,
  }
}

/** The pool of a command: one lane, without the priorities and fair shares of a server. */
export async function openPool(settings: RenderingSettings, jobs: number, note: (text: string) => void) {
  const renderers = await confineRenderers({ ...settings, startAtOnce: true })
  const plain = startPool(
    {
      ...renderers,
      renderers: jobs,
      syncKept: 0,
      queue: 0,
      timeoutSeconds: settings.RENDER_TIMEOUT_S,
      backgroundNice: 0,
    },
    { onRender: () => {}, onRestart: () => {} },
  )
  const { C2PA_CERTIFICATE: certificate, C2PA_PRIVATE_KEY: key } = settings
  const signer = certificate && key ? startSigner(readCredential(certificate, key)) : undefined
  const unsigned = (error: unknown) => note(`A result has no C2PA manifest: ${error instanceof Error ? error.message : error}`)
  const pool: Pool = signer ? signedPool(plain, signer, unsigned) : plain
  return {
    pool,
    async close() {
      await pool.close()
      await signer?.close()
    },
  }
}
