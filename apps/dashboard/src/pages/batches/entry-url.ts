import { type Answer, addressOf } from '../../api/client.ts'

/** A file of a batch. */
export type Entry = Answer<'/api/v2/batch/{id}/entries', 'get'>['data'][number]

/** Where the result of a file is, as soon as it is converted. */
export const entryUrl = (id: string, seq: number): string => addressOf('/api/v2/batch/{id}/entries/{seq}/image', { id, seq })
