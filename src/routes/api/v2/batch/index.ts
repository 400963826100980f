import type { Route } from '../../../../http/route.ts'
import { startBatch } from './create.ts'
import { deleteBatch } from './delete.ts'
import { followBatch } from './events.ts'
import { downloadBatch } from './result.ts'
import { showBatch } from './status.ts'

export const batchRoutes: readonly Route[] = [startBatch, showBatch, downloadBatch, followBatch, deleteBatch]
