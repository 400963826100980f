import { z } from 'zod'
import { definePart, warning } from './part.ts'

const tasks = { background: 'removes backgrounds', superResolution: 'enlarges pictures' } as const

export const models = definePart({
  shape: z
    .array(
      z.object({
        name: z.enum(['background', 'superResolution']),
        state: z.enum(['loading', 'ready', 'failed']),
        sha256: z.string(),
        preset: z.string().optional(),
        factor: z.number().optional().describe('How many times as long it makes the sides of a picture.'),
        why: z.string().optional(),
      }),
    )
    .describe('ONNX files of this machine: BG_MODEL_PATH and SR_MODEL_PATH.'),
  async read({ models }) {
    const { background, superResolution } = models.reports()
    return [
      ...(background ? [{ name: 'background' as const, ...background }] : []),
      ...(superResolution ? [{ name: 'superResolution' as const, ...superResolution }] : []),
    ]
  },
  concerns: (found) =>
    found.flatMap(({ name, state, why }) =>
      state === 'failed'
        ? [warning(`The model that ${tasks[name]} cannot be used: ${why}. It is done without, and tried again.`)]
        : [],
    ),
})
