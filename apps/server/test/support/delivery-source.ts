import type { Source } from '../../src/delivery/source.ts'

/** A source with the usual settings, for tests that need no database. */
export const deliverySource = (name: string, place: Source['place']): Source => ({
  name,
  granted: undefined,
  accountId: 'a',
  place,
  maxAgeSeconds: 60,
  unsigned: false,
  clientHints: false,
  cacheControl: 'own',
  fallback: undefined,
  svg: 'refuse',
  secrets: [],
  generation: 1,
  purged: new Map(),
})
