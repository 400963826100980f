import { withSpan } from '@pixelmill/engine/tracing'
import { NOT_SEPARABLE_WITHOUT_MODEL } from '@pixelmill/vision/inference/known-models'
import { ApiError } from '../contract/api-error.ts'
import { AlreadyCutOut, type CutOut, type CutOutOptions, type Remover, RemoverUnavailable, type Unsure } from './remover.ts'

/** The outcome of one remover: a file; none, for lack of confidence or as it is unavailable; or a fault of the image. */
export type RemovalOutcome = 'cut_out' | 'unsure' | 'unavailable' | 'already_cut_out' | 'failed' | 'abandoned'

export interface Removed extends CutOut {
  readonly remover: Remover['name']
}

/** The removers, tried one after another. */
export interface Chain {
  /**
   * Cuts out the subject of a picture by the first remover that can.
   * @param source the file, as it was sent
   * @throws ApiError background_not_separable, or a fault of the image; the signal's reason once that aborts
   */
  remove(source: readonly Buffer[], options: Omit<CutOutOptions, 'least'>, signal: AbortSignal): Promise<Removed>
}

export interface ChainSettings {
  /** Confidence from 0 to 1 that a remover must reach. */
  readonly least: number
  /** What happens where the local remover, the last one, does not reach it. */
  readonly lowConfidence: 'refuse' | 'return'
}

export interface ChainEvents {
  /** Called for each remover that was tried. */
  onRemover(name: Remover['name'], outcome: RemovalOutcome, seconds: number): void
  /** A remover was unavailable or returned nothing usable; the next is tried. */
  onUnavailable(name: Remover['name'], error: RemoverUnavailable): void
}

/**
 * @param before the removers that are tried before the local one, in their order
 * @param local needs only this process's renderers, so it is always available
 */
export function chainOf(
  { least, lowConfidence }: ChainSettings,
  before: readonly Remover[],
  local: Remover,
  { onRemover, onUnavailable }: ChainEvents,
): Chain {
  async function ask(remover: Remover, source: readonly Buffer[], options: CutOutOptions, signal: AbortSignal) {
    const began = performance.now()
    const report = (outcome: RemovalOutcome) => onRemover(remover.name, outcome, (performance.now() - began) / 1000)
    try {
      const removeOnce = () => remover.remove(source, options, signal)
      const result = await withSpan('remove background', { 'pixelmill.remover': remover.name }, removeOnce)
      report(result.bytes ? 'cut_out' : 'unsure')
      return result
    } catch (error) {
      report(signal.aborted ? 'abandoned' : outcomeOf(error))
      if (signal.aborted) throw signal.reason
      throw error
    }
  }
  /** Undefined: the next is to be tried. */
  async function tryRemover(remover: Remover, source: readonly Buffer[], options: CutOutOptions, signal: AbortSignal) {
    try {
      return await ask(remover, source, options, signal)
    } catch (error) {
      if (!(error instanceof RemoverUnavailable)) throw error
      onUnavailable(remover.name, error)
      return undefined
    }
  }
  async function tryInOrder(
    source: readonly Buffer[],
    options: CutOutOptions,
    signal: AbortSignal,
  ): Promise<Removed | undefined> {
    for (const remover of before) {
      const result = await tryRemover(remover, source, options, signal)
      if (result?.bytes) return { ...result, remover: remover.name }
    }
    return undefined
  }
  return {
    async remove(source, options, signal) {
      const cutOut = await tryInOrder(source, { ...options, least }, signal).catch((error: unknown) => {
        if (!(error instanceof AlreadyCutOut)) throw error
        return undefined
      })
      if (cutOut) return cutOut
      const result = await ask(local, source, { ...options, least: lowConfidence === 'return' ? 0 : least }, signal)
      if (!result.bytes) throw notSeparable(result, before.length > 0)
      return { ...result, remover: local.name }
    },
  }
}

function outcomeOf(error: unknown): RemovalOutcome {
  if (error instanceof RemoverUnavailable) return 'unavailable'
  return error instanceof AlreadyCutOut ? 'already_cut_out' : 'failed'
}

const notSeparable = ({ confidence }: Unsure, hasOthers: boolean): ApiError =>
  new ApiError('background_not_separable', {
    facts: { confidence: hundredths(confidence) },
    message: hasOthers ? undefined : NOT_SEPARABLE_WITHOUT_MODEL,
  })

/** Rounded down, so that what is not enough does not look like enough. */
export const hundredths = (confidence: number): number => Math.floor(confidence * 100 + 1e-9) / 100
