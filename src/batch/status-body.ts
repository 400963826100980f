import type { BatchStatusBody } from '../contract/batch-status.ts'
import { limits } from '../contract/limits.ts'
import type { Batch } from './batch.ts'

/** The path at which a batch's result is. */
export const resultPath = (batchId: string): string => `/api/v2/batch/${batchId}/result`

/** The status body of contract §5. */
export function statusBody(batch: Batch): BatchStatusBody {
  const { id, status, format, quality, total, succeeded, failed, startedAt, finishedAt, expiresAt, error } = batch
  const done = succeeded + failed
  const completed = status === 'completed'
  return {
    id,
    ...(batch.name !== null && { name: batch.name }),
    status,
    format,
    quality: quality ?? limits.quality.default,
    progress: { total, done, succeeded, failed, percent: Math.floor((100 * done) / total) },
    createdAt: batch.createdAt.toISOString(),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(completed && expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(completed && !batch.expired && { resultUrl: resultPath(id) }),
    ...(error && { error }),
  }
}
