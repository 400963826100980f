import type { Attempt } from '../../src/codecs/codec.ts'
import type { Written } from '../../src/codecs/written.ts'

/** What an attempt of optimize writes; of one with levels, the best that it has. */
export const tryOut = (attempt: Attempt): Promise<Written> =>
  typeof attempt === 'function' ? attempt(Number.POSITIVE_INFINITY) : attempt.write(attempt.levels.max)
