import type { Registry } from 'prom-client'
import { z } from 'zod'
import type { Services } from '../services.ts'

/** `failing`: requests are refused now. `warning`: they soon will be, or a feature is unavailable. `note`: for information. */
export const levels = ['failing', 'warning', 'note'] as const

/** Something that needs attention, in a sentence that says what to do. */
export interface Concern {
  readonly level: (typeof levels)[number]
  readonly text: string
}

/** One part of the system: its state, and what of it needs attention. */
export interface Part<Shape extends z.ZodType = z.ZodType> {
  readonly shape: Shape
  /** Reads what is in memory, or takes the database a few milliseconds. */
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

/** The values of a counter or gauge; of a histogram its counts. Empty for an unknown metric. */
export async function metricValues(registry: Registry, name: string): Promise<readonly MetricValue[]> {
  const metricValuesValue = await registry.getSingleMetric(`pixelmill_${name}`)?.get()
  if (!metricValuesValue) return []
  // Only the values of a histogram have a metricName; its counts end in _count.
  return metricValuesValue.values.filter((each) => !('metricName' in each) || String(each.metricName).endsWith('_count'))
}

export const total = (values: readonly MetricValue[]): number => values.reduce((sum, { value }) => sum + value, 0)
