import { z } from 'zod'
import { limits } from '../../../../contract/limits.ts'
import { jsonReply, readingHeaderTexts } from '../../../../http/reply.ts'
import { defineRoute } from '../../../../http/route.ts'
import { accountShare, archiveLimits } from './archive-limits.ts'

const most = z.int().min(1)

export const showBatchLimits = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/limits',
  name: 'showBatchLimits',
  tag: 'Batch',
  summary: 'See how much one archive may hold, and how many may wait.',
  description: 'Settings of the server change these: ask before a large upload.',
  admission: 'read',
  produces: ['application/json'],
  answer: z.object({
    archiveBytes: most.describe('Of the ZIP.'),
    entries: most.describe('Files in it; folders and what macOS puts beside each file do not count.'),
    unpackedBytes: most.describe('Of all files together.'),
    accountBatches: most.describe('Batches of one account that have not ended.'),
    accountBytes: most.describe('Of the archives of these batches together.'),
    imageBytes: most.describe('Of one image; a larger one fails alone.'),
    imagePixels: most.describe('Of one image, all frames counted; a larger one fails alone.'),
  }),
  headers: readingHeaderTexts,
  errors: [],
  async handle({ services: { config } }) {
    const { batches: accountBatches, bytes: accountBytes } = accountShare(config)
    const images = { imageBytes: limits.uploadBytes, imagePixels: limits.pixels }
    return jsonReply({ ...archiveLimits(config), accountBatches, accountBytes, ...images })
  },
})
