import { z } from 'zod'
import { itemStatuses } from '../../../../contract/batch-status.ts'

const count = z.int().min(0).nullable()

/** manifest.json of a result: contract §5. */
export const manifest = z
  .array(
    z.object({
      source: z.string().describe("The entry's path, with / between the segments."),
      output: z.string().nullable().describe('The path of the image in the result; null when there is none.'),
      status: z.enum(itemStatuses),
      inputBytes: count.describe('Unpacked.'),
      outputBytes: count,
      width: count.describe('Of the output, in pixels.'),
      height: count.describe('Of the output, in pixels.'),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .describe('Of what failed: as the endpoint for one image would have answered.'),
    }),
  )
  .describe("manifest.json in the result of a batch: each entry of the archive, in the archive's order.")
