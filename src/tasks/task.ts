import { z } from 'zod'
import type { Codec } from '../codecs/codec.ts'
import { codecs } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'
import { warningNames } from '../contract/warnings.ts'
import type { Encoded } from '../image/encode.ts'
import type { Header } from '../image/header.ts'
import type { Image } from '../image/open.ts'
import type { Size } from '../image/size.ts'

/** Work of a renderer on an image: it returns a report and any number of files. */
export interface Task<Params extends z.ZodObject = z.ZodObject, Report extends z.ZodObject = z.ZodObject> {
  readonly params: Params
  /** The API process checks the report by this schema, like everything from a renderer. */
  readonly report: Report
  /** Minimum number of files, if there is always one, and maximum. */
  readonly leastFiles?: number
  readonly mostFiles: number
  /** Maximum bytes of one file: a compromised renderer could send a gigabyte. */
  readonly fileBytes: number
  /**
   * Format and size of the image that the task writes; absent if the format does not limit it.
   * @throws ApiError invalid_params if the parameters do not suit this image
   */
  plan?(source: Header, params: z.output<Params>): Plan
  /**
   * Processed megapixels, if they are more than those of file and plan.
   * @throws ApiError if the image is too large
   */
  weigh?(header: Header, params: z.output<Params>): number
  /**
   * Maximum seconds per processed megapixel, if that is more than the general limit: sized for a machine several times slower
   * than common ones.
   */
  readonly secondsPerMegapixel?: number
  /** Without a plan: whether all frames of an animation are read, or only the first. */
  readonly moves?: true
  /** Only the renderer with access to the models and their runtime can do it. */
  readonly needsModels?: true
  /**
   * @param others the other files as received: only their weight is known
   * @param plan if the task has one; its format can be written here
   * @throws ApiError; any other error is the image's fault if it cannot be decoded, otherwise ours
   */
  run(image: Image, params: z.output<Params>, others: readonly Buffer[], plan?: Plan): Promise<TaskResult<z.input<Report>>>
}

export interface TaskResult<Report = Readonly<Record<string, unknown>>> {
  readonly report: Report
  readonly files: readonly Buffer[]
  /** The first file is a PNG for heif-enc; a second one is the result if heif-enc's is no smaller. */
  readonly finish?: { readonly quality: number | undefined }
}

/** What is known from header and parameters of the image that a task writes. */
export interface Plan extends Size {
  readonly codec: Codec
  /** The result has transparency, with which some formats are limited to smaller images. */
  readonly alpha?: boolean
}

/** Returns its argument, so that TypeScript infers the types inside `run`. */
export const defineTask = <Params extends z.ZodObject, Report extends z.ZodObject>(
  task: Task<Params, Report>,
): Task<Params, Report> => task

const side = z.int().min(1).max(limits.pixels)

/** SSIMULACRA2 has no minimum; of unlike pictures it is some hundreds below 0. */
const LEAST_SCORE = -10_000

/** Of the image that an operation writes. */
export const imageReport = z
  .object({
    format: z.enum(Object.values(codecs).map(({ name }) => name)),
    /** Pixels of one frame. */
    width: side,
    height: side,
    /** Features of the file that the result lacks. */
    warnings: z.array(z.enum(warningNames)).max(warningNames.length),
    /** SSIMULACRA2, where a score or a number of bytes was asked for. */
    score: z.number().min(LEAST_SCORE).max(100).exactOptional(),
  })
  .refine(({ width, height }) => width * height <= limits.pixels, 'more pixels than an image may have')

/** A task with an endpoint: POST /api/v1/<name>, which returns the image that the task writes. */
export interface Operation<Params extends z.ZodObject = z.ZodObject> extends Task<Params, typeof imageReport> {
  readonly summary: string
  readonly description: string
  /** Form fields with files, the image first. */
  readonly files: readonly ('image' | 'watermark')[]
  /** The file name of the answer is <stem>.<extension>. */
  readonly stem: string
  plan(source: Header, params: z.output<Params>): Plan
}

type OperationRow<Params extends z.ZodObject> = Pick<
  Operation<Params>,
  'summary' | 'description' | 'params' | 'files' | 'stem' | 'plan'
> & {
  /** Edits and encodes; `others` are the other files. */
  render(image: Image, params: z.output<Params>, plan: Plan, others: readonly Buffer[]): Promise<Encoded>
}

/** 80 megapixels of 64 bits, not compressed at all, are 640 MB. */
const FILE_BYTES = 1024 * 1024 * 1024

/** The task of an image operation: its result is the only file. */
export const defineOperation = <Params extends z.ZodObject>({ render, ...row }: OperationRow<Params>): Operation<Params> => ({
  ...row,
  report: imageReport,
  leastFiles: 1,
  mostFiles: 1,
  fileBytes: FILE_BYTES,
  async run(image, params, others, plan) {
    if (!plan) throw new Error('an image operation was run without its plan')
    const { bytes, codec, width, height, untouched, finish, score } = await render(image, params, plan, others)
    const warnings = untouched ? [] : [...image.warnings]
    const report = { format: codec.name, width, height, warnings, ...(score !== undefined && { score }) }
    if (!finish) return { report, files: [bytes] }
    const { quality, otherwise } = finish
    return { report, files: otherwise ? [bytes, otherwise] : [bytes], finish: { quality } }
  },
})

/** The image of an operation, as the API process sends it on. */
export interface WrittenImage extends Size {
  readonly bytes: Buffer
  readonly codec: Codec
  readonly warnings: z.output<typeof imageReport>['warnings']
  readonly score?: number
}

export function writtenImage({ report, files }: TaskResult<z.output<typeof imageReport>>): WrittenImage {
  const { format, ...written } = report
  const [bytes] = files
  if (!bytes) throw new Error('an image operation brought no file')
  return { bytes, codec: codecs[format], ...written }
}
