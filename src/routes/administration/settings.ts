import { z } from 'zod'
import { givenSettings } from '../../config.ts'
import { settings as rows } from '../../settings/index.ts'
import type { Setting } from '../../settings/setting.ts'
import { definePart } from './part.ts'

/** Not marked as secret, since they are none; but what is written there may hold one, and nobody has to read it here. */
const KEPT_BACK: ReadonlySet<string> = new Set(['S3_ACCESS_KEY_ID', 'BG_PROVIDER_EXTRA_FIELDS'])

/** A path or what stands behind a question mark may be a key: of an address only its origin is told. */
const withoutPath = (text: string): string => (/^https?:\/\//i.test(text) ? (URL.parse(text)?.origin ?? '') : text)

/** In a word or a few; null for what is told by its name alone. */
function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return withoutPath(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join(', ') : null
  return limitsOf(value)
}

const amounts = z.record(z.string(), z.number().nullable())

/** Limits by plan, as they are set. */
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
        value: z.string().nullable().describe('Null for a secret, and for what may hold one.'),
        description: z.string(),
      }),
    )
    .describe('Those that are set.'),
  async read({ config }) {
    const values: Readonly<Record<string, unknown>> = config
    const given = givenSettings(config)
    return Object.entries<Setting>(rows)
      .filter(([name]) => given.has(name))
      .map(([name, { secret, description }]) => {
        const isKept = secret === true || KEPT_BACK.has(name)
        return { name, value: isKept ? null : wordsOf(values[name]), description }
      })
  },
})
