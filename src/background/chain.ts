import { ApiError } from '../contract/api-error.ts'
import { traced } from '../tracing.ts'
import { AlreadyCutOut, type CutOut, type CutOutWish, type Remover, RemoverUnavailable, type Unsure } from './remover.ts'

/** What came of one remover: a file; none, for lack of confidence or since it could not be had; or the image's own fault. */
export type RemovalOutcome = 'cut_out' | 'unsure' | 'unavailable' | 'already_cut_out' | 'failed' | 'abandoned'

export interface Removed extends CutOut {
  readonly remover: Remover['name']
}

/** The removers, one behind the other. */
export interface Chain {
  /**
   * Cuts out the subject of a picture by the first remover that can.
   * @param source the file, as it was sent
   * @throws ApiError background_not_separable, or what the image is to blame for; the signal's reason once that aborts
   */
  remove(source: readonly Buffer[], wish: Omit<CutOutWish, 'least'>, signal: AbortSignal): Promise<Removed>
}

export interface ChainSettings {
  /** Confidence from 0 to 1 that the local remover must have: it is the last, and there is nobody else to ask. */
  readonly least: number
  /** What becomes of a picture of which it is not that confident. */
  readonly lowConfidence: 'refuse' | 'return'
}

export interface ChainEvents {
  /** Told of each remover that was asked. */
  onRemover(name: Remover['name'], outcome: RemovalOutcome, seconds: number): void
  /** A remover could not be had, or gave nothing of use; the next was asked. */
  onUnavailable(name: Remover['name'], error: RemoverUnavailable): void
}

/**
 * @param before the local remover, in the order in which they are asked
 * @param local needs nothing but this process's renderers, so that its word is the last
 */
export function chainOf(
  { least, lowConfidence }: ChainSettings,
  before: readonly Remover[],
  local: Remover,
  { onRemover, onUnavailable }: ChainEvents,
): Chain {
  async function ask(remover: Remover, source: readonly Buffer[], wish: CutOutWish, signal: AbortSignal) {
    const began = performance.now()
    const tell = (outcome: RemovalOutcome) => onRemover(remover.name, outcome, (performance.now() - began) / 1000)
    try {
      const asked = () => remover.remove(source, wish, signal)
      const result = await traced('remove background', { 'pixelmill.remover': remover.name }, asked)
      tell(result.bytes ? 'cut_out' : 'unsure')
      return result
    } catch (error) {
      tell(signal.aborted ? 'abandoned' : outcomeOf(error))
      if (signal.aborted) throw signal.reason
      throw error
    }
  }
  /** Undefined: the next is to be asked. */
  async function tryRemover(remover: Remover, source: readonly Buffer[], wish: CutOutWish, signal: AbortSignal) {
    try {
      return await ask(remover, source, wish, signal)
    } catch (error) {
      if (!(error instanceof RemoverUnavailable)) throw error
      onUnavailable(remover.name, error)
      return undefined
    }
  }
  async function askInTurn(source: readonly Buffer[], wish: CutOutWish, signal: AbortSignal): Promise<Removed | undefined> {
    for (const remover of before) {
      const result = await tryRemover(remover, source, wish, signal)
      if (result?.bytes) return { ...result, remover: remover.name }
    }
    return undefined
  }
  return {
    async remove(source, wish, signal) {
      const found = await askInTurn(source, { ...wish, least }, signal).catch((error: unknown) => {
        if (!(error instanceof AlreadyCutOut)) throw error
        return undefined
      })
      if (found) return found
      const result = await ask(local, source, { ...wish, least: lowConfidence === 'return' ? 0 : least }, signal)
      if (!result.bytes) throw notSeparable(result)
      return { ...result, remover: local.name }
    },
  }
}

function outcomeOf(error: unknown): RemovalOutcome {
  if (error instanceof RemoverUnavailable) return 'unavailable'
  return error instanceof AlreadyCutOut ? 'already_cut_out' : 'failed'
}

const notSeparable = ({ confidence }: Unsure): ApiError =>
  new ApiError('background_not_separable', { facts: { confidence: hundredths(confidence) } })

/** Rounded down, so that what is not enough does not look like enough. */
export const hundredths = (confidence: number): number => Math.floor(confidence * 100 + 1e-9) / 100
