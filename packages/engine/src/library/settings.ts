import { availableParallelism } from 'node:os'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { z } from 'zod'
import type { PixelmillOptions } from './options.ts'

/** @throws StartError that names each option that is not valid, or for a Node that is too old */
export function readOptions(options: PixelmillOptions): z.output<typeof settingsSchema> {
  if (!('DisposableStack' in globalThis)) throw new StartError(`Pixelmill needs Node 24 or newer; this is ${process.version}.`)
  try {
    return parseJson(settingsSchema, options)
  } catch (error) {
    throw error instanceof ImageError ? new StartError(error.message) : error
  }
}

const range = (min: number, max: number) => z.int().min(min).max(max)

const settingsSchema = z.strictObject({
  renderers: range(1, 256).default(availableParallelism),
  isolation: z.enum(['available', 'required']).default('available'),
  timeoutSeconds: range(1, 3600).default(60),
  memoryMegabytes: range(1024, 65_536).default(3072),
  heic: z.boolean().default(true),
  heicWriter: z.enum(['auto', 'heif-enc', 'elheif', 'none']).default('auto'),
  c2pa: z.strictObject({ certificate: z.string(), privateKey: z.string() }).optional(),
  programPath: z.string().optional(),
  backgroundModel: z
    .custom<PixelmillOptions['backgroundModel']>((value) => typeof value === 'object' && value !== null)
    .optional(),
  onUnsigned: z.custom<PixelmillOptions['onUnsigned']>((value) => typeof value === 'function').optional(),
})
