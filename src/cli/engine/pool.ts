import { readCredential } from '../../provenance/credential.ts'
import { signedPool } from '../../provenance/signed-pool.ts'
import { startSigner } from '../../provenance/signer.ts'
import { type Pool, startPool } from '../../rendering/pool.ts'
import { confineRenderers } from '../../rendering/sandbox/renderers.ts'
import type { RenderingSettings } from '../environment.ts'

/** The pool of a command: one lane, without the priorities and fair shares of a server. */
export async function openPool(settings: RenderingSettings, jobs: number, note: (text: string) => void) {
  // No renderer is started ahead: without an image to convert, nothing would end it.
  const renderers = await confineRenderers(settings)
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
