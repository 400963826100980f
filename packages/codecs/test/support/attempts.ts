import type { Attempt, Written } from '../../src/codec.ts'

/** The encoding that optimize chose; of an attempt with levels, the best one. */
export async function tryOut(attempt: Attempt): Promise<Written> {
  const encoding = await (typeof attempt === 'function' ? attempt(Number.POSITIVE_INFINITY) : attempt.write(attempt.levels.max))
  if (!encoding) throw new Error('an attempt gave up where it had nothing to beat')
  return encoding
}
