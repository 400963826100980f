import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readCredential } from '@pixelmill/engine/provenance/credential'
import { signedPool } from '@pixelmill/engine/provenance/signed-pool'
import { startSigner } from '@pixelmill/engine/provenance/signer'
import { type Pool, startPool } from '@pixelmill/engine/rendering/pool'
import { confineRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import type { RenderingSettings } from '../environment.ts'

/** A renderer may be killed while it starts, where memory is short; more in a row do not start at all. */
const MOST_START_FAULTS = 3

/** Of what a renderer wrote before it ended, the line that names the error. */
function saidBy(detail: string): string {
  const lines = detail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /\w*Error\b.*: /.test(line)) ?? lines.at(-1) ?? 'they said nothing.'
}

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
    {
      onRender: () => {},
      onRestart: () => {},
      onStartFault(detail, inARow) {
        if (inARow >= MOST_START_FAULTS) plain.fail(new StartError(`Renderers do not start: ${saidBy(detail)}`))
      },
    },
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
