import type { Registry } from 'prom-client'

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
