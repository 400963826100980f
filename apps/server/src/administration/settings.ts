import type { Setting } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { givenSettings } from '../config.ts'
import { settings as rows } from '../settings/index.ts'
import { definePart } from './part.ts'

/** Settings that are not secrets themselves, but whose values may contain one. */
const HIDDEN: ReadonlySet<string> = new Set(['S3_ACCESS_KEY_ID', 'BG_PROVIDER_EXTRA_FIELDS'])

/** The path or query of a URL may contain a key: only its origin is shown. */
const withoutPath = (text: string): string => (/^https?:\/\//i.test(text) ? (URL.parse(text)?.origin ?? '') : text)

/** A short text for a value; null where only the name of the setting is shown. */
function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return withoutPath(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join(', ') : null
  return limitsOf(value)
}

const amounts = z.record(z.string(), z.number().nullable())

/** Limits by plan, in the syntax of the setting. */
function limitsOf(value: unknown): string | null {
  const { data } = amounts.safeParse(value)
  return data
    ? Object.entries(data)
        .map(([plan, limit]) => `${plan}=${limit ?? 'unlimited'}`)
        .join(', ')
    : null
}

export const settings = definePart({
  shape: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().nullable().describe('Null for secrets and for values that may contain one.'),
        description: z.string(),
      }),
    )
    .describe('Settings that are set.'),
  async read({ config }) {
    const values: Readonly<Record<string, unknown>> = config
    const givenTexts = givenSettings(config)
    return Object.entries<Setting>(rows)
      .filter(([name]) => givenTexts.has(name))
      .map(([name, { secret, description }]) => {
        const isHidden = secret === true || HIDDEN.has(name)
        return { name, value: isHidden ? null : wordsOf(values[name]), description }
      })
  },
})
