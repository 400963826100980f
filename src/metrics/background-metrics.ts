import type { ChainEvents } from '../background/chain.ts'
import type { ProviderEvents } from '../background/provider/provider-events.ts'
import type { Meter } from './meter.ts'

/** Numbers of background removal. */
export interface BackgroundMetrics {
  readonly onRemover: ChainEvents['onRemover']
  readonly onProviderAnswer: ProviderEvents['onAnswer']
}

/** From a small picture here to a slow service and its second try. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]

export function backgroundMetrics(meter: Meter): BackgroundMetrics {
  const removals = meter.histogram(
    'background_removal_seconds',
    'Time of removers of backgrounds, the wait for a renderer included, by which it was and what came of it.',
    ['remover', 'outcome'],
    SECONDS,
  )
  const answers = meter.histogram(
    'background_provider_seconds',
    'Time of single requests to the service that removes backgrounds, by what came of them.',
    ['outcome'],
    SECONDS,
  )
  return {
    onRemover: (remover, outcome, seconds) => removals.observe({ remover, outcome }, seconds),
    onProviderAnswer: (outcome, seconds) => answers.observe({ outcome }, seconds),
  }
}
