import { api } from '../../api/client.ts'
import { batchTitle, batchWork } from '../../pages/batches/batch-words.ts'
import type { Entry } from './entries.ts'

const MOST_BATCHES = 100

/** The batches, presets and sources of the account. @throws ApiFailure; AbortError */
export async function ownEntries(signal: AbortSignal): Promise<readonly Entry[]> {
  const [batches, { presets }, { sources }] = await Promise.all([
    api.get('/api/user/batches', { query: { limit: MOST_BATCHES }, signal }),
    api.get('/api/user/presets', { signal }),
    api.get('/api/user/sources', { signal }),
  ])
  return [
    ...batches.data.map((batch) => ({
      kind: 'batch' as const,
      label: batchTitle(batch),
      href: `/batches/${batch.id}`,
      icon: 'layers' as const,
      words: `${batchWork(batch)} ${batch.status}`,
    })),
    ...presets.map(({ name }) => ({
      kind: 'preset' as const,
      label: name,
      href: `/presets/${name}`,
      icon: 'copy' as const,
      words: '',
    })),
    ...sources.map(({ name, type }) => ({
      kind: 'source' as const,
      label: name,
      href: type === 'web' ? '/sources' : `/sources/${name}`,
      icon: 'folder' as const,
      words: type,
    })),
  ]
}
