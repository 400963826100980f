import { Histogram, type Registry } from 'prom-client'
import type { ChainEvents } from '../background/chain.ts'
import type { ProviderEvents } from '../background/provider/provider-events.ts'

/** Numbers of background removal. */
export interface BackgroundMetrics {
  readonly onRemover: ChainEvents['onRemover']
  readonly onProviderAnswer: ProviderEvents['onAnswer']
}

/** From a small picture here to a slow service and its second try. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]

export function backgroundMetrics(registers: Registry[]): BackgroundMetrics {
  const removals = new Histogram({
    name: 'pixelmill_background_removal_seconds',
    help: 'Time of removers of backgrounds, the wait for a renderer included, by which it was and what came of it.',
    labelNames: ['remover', 'outcome'],
    registers,
    buckets: SECONDS,
  })
  const answers = new Histogram({
    name: 'pixelmill_background_provider_seconds',
    help: 'Time of single requests to the service that removes backgrounds, by what came of them.',
    labelNames: ['outcome'],
    registers,
    buckets: SECONDS,
  })
  return {
    onRemover: (remover, outcome, seconds) => removals.observe({ remover, outcome }, seconds),
    onProviderAnswer: (outcome, seconds) => answers.observe({ outcome }, seconds),
  }
}
