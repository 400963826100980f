import { z } from 'zod'
import { targetFormats } from '../../../../codecs/index.ts'
import { batchStatuses } from '../../../../contract/batch-status.ts'

const images = z.int().min(0)

/** The status body of contract §5, as `statusBody` makes it. */
export const batchAnswer = z.object({
  id: z.uuid(),
  name: z.string().optional().describe('What its owner calls it; absent where it was sent without a name.'),
  status: z.enum(batchStatuses).describe('queued and processing are under way; completed and failed are its end.'),
  format: z.enum(targetFormats),
  quality: z.int().min(1).max(100),
  progress: z
    .object({ total: images, done: images, succeeded: images, failed: images, percent: z.int().min(0).max(100) })
    .describe('Images; entries that are none do not count. done is succeeded and failed together.'),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  finishedAt: z.iso.datetime().optional(),
  expiresAt: z.iso.datetime().optional().describe('Until when there is a result: 24 hours after finishedAt.'),
  resultUrl: z.string().optional().describe('The path of the result, while there is one.'),
  error: z
    .object({
      code: z
        .string()
        .describe('An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged.'),
      message: z.string(),
    })
    .optional()
    .describe('Why it failed as a whole.'),
})
