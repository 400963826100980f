import { StartError } from '@pixelmill/codecs/contract/start-error'
import { measures } from '../rendering/sandbox/confinement.ts'

/** How far the processes that read pictures are kept from everything else on this machine. */
export interface Isolation {
  /** Whether a picture that takes over its renderer reaches neither files nor networks nor other processes, and cannot use up the machine. */
  readonly complete: boolean
  /** Sentences about what such a renderer could do here. */
  readonly gaps: readonly string[]
  /** Every measure by its name, and whether it is in effect: docs/security.md has the list. */
  readonly measures: Readonly<Record<string, boolean>>
}

export function isolationOf(confinement: Readonly<Record<string, boolean>>): Isolation {
  const missing = measures.filter(({ name, essential }) => essential === true && confinement[name] !== true)
  return {
    complete: missing.length === 0,
    gaps: missing.map(({ name, purpose }) => `Without ${name} it does not hold that ${purpose}.`),
    measures: confinement,
  }
}

/** @throws StartError if something essential is missing */
export function requireIsolation({ complete, gaps }: Isolation): void {
  if (complete) return
  throw new StartError(
    `isolation is required, and this machine (${process.platform}) does not allow all of it: ${gaps.join(' ')}`,
  )
}
