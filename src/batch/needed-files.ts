import type pg from 'pg'
import { isBatchId } from './batch-id.ts'
import { partKey } from './blob-keys.ts'

interface Standing {
  readonly active: boolean
  /** Converted images, where they are the batch's result. */
  readonly parts: readonly { readonly seq: number; readonly attempt: number }[]
}

const STANDING = `
  select b.finished_at is null as active, coalesce(
           (select jsonb_agg(jsonb_build_object('seq', i.seq, 'attempt', i.attempt)) from batch_item i
             where i.batch_id = b.id and b.status = 'completed' and i.state = 'converted'), '[]') as parts
    from batch b where b.id = $1`

/** Says of a file of a batch whether it is needed: all are while it is under way, and then those of its result until it expires. */
export async function neededFiles(pool: pg.Pool, batchId: string): Promise<(key: string) => boolean> {
  if (!isBatchId(batchId)) return () => false
  const { rows } = await pool.query<Standing>(STANDING, [batchId])
  const [standing] = rows
  if (!standing) return () => false
  if (standing.active) return () => true
  const needed = new Set(standing.parts.map((part) => partKey({ batchId, ...part })))
  return (key) => needed.has(key)
}
