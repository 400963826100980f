import type { Registry } from 'prom-client'
import { z } from 'zod'
import type { Services } from '../../services.ts'

/** `failing`: what people ask for is refused now. `warning`: it will be, or something is done without. `note`: good to know. */
export const levels = ['failing', 'warning', 'note'] as const

/** Something that an operator should know of, in a sentence that says what to do. */
export interface Concern {
  readonly level: (typeof levels)[number]
  readonly text: string
}

/** One part of the system: what is known of it, and what of that is no good. */
export interface Part<Shape extends z.ZodType = z.ZodType> {
  readonly shape: Shape
  /** What this process knows anyway, or the database tells within milliseconds. */
  read(services: Services): Promise<z.output<Shape>>
  concerns?(state: z.output<Shape>): readonly Concern[]
}

export const definePart = <Shape extends z.ZodType>(part: Part<Shape>): Part<Shape> => part

export const count = z.int().min(0)
export const moment = z.iso.datetime()

export const failing = (text: string): Concern => ({ level: 'failing', text })
export const warning = (text: string): Concern => ({ level: 'warning', text })
export const note = (text: string): Concern => ({ level: 'note', text })

export interface MetricValue {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
}

/** What a counter or gauge says now; of a histogram how often each set of labels was observed. None for what is not measured. */
export async function metricValues(registry: Registry, name: string): Promise<readonly MetricValue[]> {
  const measured = await registry.getSingleMetric(`pixelmill_${name}`)?.get()
  if (!measured) return []
  // Only a histogram's values have names of their own, one of which is that of its counts.
  return measured.values.filter((each) => !('metricName' in each) || String(each.metricName).endsWith('_count'))
}

export const total = (values: readonly MetricValue[]): number => values.reduce((sum, { value }) => sum + value, 0)
