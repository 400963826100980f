import type { Setting } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { DEFAULT_MONTHLY_LIMITS, monthlyLimits } from '../metering/removals.ts'

const LOW_CONFIDENCE = ['refuse', 'return'] as const

/** Quotas of background removal, and the required confidence. */
export const backgroundSettings = {
  BG_MONTHLY_LIMIT: {
    schema: monthlyLimits.prefault(DEFAULT_MONTHLY_LIMITS),
    otherwise: DEFAULT_MONTHLY_LIMITS,
    description: 'Background removals of an account in a UTC month, by plan; a number alone is for all plans.',
  },
  BG_MIN_CONFIDENCE: {
    schema: z
      .string()
      .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1, such as 0.7')
      .transform(Number)
      .default(0.7),
    otherwise: '0.7',
    description: 'Minimum confidence of the local remover, from 0 to 1.',
  },
  BG_LOW_CONFIDENCE: {
    schema: z.enum(LOW_CONFIDENCE, `must be one of ${LOW_CONFIDENCE.join(', ')}`).default('refuse'),
    otherwise: 'refuse: background_not_separable',
    description: "return sends the local remover's result even if its confidence is too low.",
  },
} as const satisfies Record<string, Setting>
