import type { Credential } from './provenance/credential.ts'
import { signedPool } from './provenance/signed-pool.ts'
import { type Signer, startSigner } from './provenance/signer.ts'
import { type Pool, type PoolEvents, type PoolSettings, startPool } from './rendering/pool.ts'

export interface EngineSettings extends PoolSettings {
  /** Signs results whose sources had a C2PA manifest; without one, results have none. */
  readonly credential?: Credential | undefined
}

export interface EngineEvents extends PoolEvents {
  /** A result that should have got a manifest has none. */
  onUnsigned(error: unknown): void
}

/** Renderers, the queues in front of them, and the signer of their results. */
export interface Engine {
  readonly pool: Pool
  /** Present if results are signed. */
  readonly signer: Signer | undefined
  /** As the pool's; then ends the signer's thread. */
  close(): Promise<void>
}

/** The one way to pictures: the library, the commands and the server start this. */
export function startEngine({ credential, ...settings }: EngineSettings, { onUnsigned, ...events }: EngineEvents): Engine {
  const unsigned = startPool(settings, events)
  const signer = credential && startSigner(credential)
  return {
    pool: signer ? signedPool(unsigned, signer, onUnsigned) : unsigned,
    signer,
    async close() {
      await unsigned.close()
      await signer?.close()
    },
  }
}
