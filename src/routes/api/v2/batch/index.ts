import type { Route } from '../../../../http/route.ts'
import { startBatch } from './create.ts'
import { deleteBatch } from './delete.ts'
import { listBatchEntries } from './entries.ts'
import { followBatch } from './events.ts'
import { showBatchLimits } from './limits.ts'
import { downloadBatch } from './result.ts'
import { showBatch } from './status.ts'

export const batchRoutes: readonly Route[] = [
  ...[showBatchLimits, startBatch, showBatch],
  ...[listBatchEntries, followBatch, downloadBatch, deleteBatch],
]
