import { availableParallelism } from 'node:os'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { HeicWriter } from '@pixelmill/codecs/programs'
import { z } from 'zod'

export interface PixelmillOptions {
  /** Pictures at once, 1 to 256, each in a process of its own; by default as many as there are processors. */
  readonly renderers?: number | undefined
  /** `required` opens nothing where a renderer cannot be confined; by default it is confined as far as the machine allows. */
  readonly isolation?: 'available' | 'required' | undefined
  /** Seconds that one picture may take, 1 to 3,600; 60 by default. Work that grows with the pixels gets more. */
  readonly timeoutSeconds?: number | undefined
  /** Mebibytes of memory that one renderer may have (Linux), 1,024 to 65,536; 3,072 by default. */
  readonly memoryMegabytes?: number | undefined
  /** Whether HEIC is read; true by default. */
  readonly heic?: boolean | undefined
  /** What writes HEIC: by default the program heif-enc where it is installed, else elheif. */
  readonly heicWriter?: HeicWriter | 'auto' | undefined
  /** Signs results of pictures with a C2PA manifest: paths of PEM files. Without it, manifests are removed. */
  readonly c2pa?: { readonly certificate: string; readonly privateKey: string } | undefined
  /** Folders of the programs heif-enc and cjxl, divided as in PATH; by default those of the system. */
  readonly programPath?: string | undefined
  /** Is told why a result that should be signed is not; it has no manifest then. */
  readonly onUnsigned?: ((error: unknown) => void) | undefined
}

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
  onUnsigned: z.custom<PixelmillOptions['onUnsigned']>((value) => typeof value === 'function').optional(),
})
