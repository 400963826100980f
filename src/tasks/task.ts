import { z } from 'zod'
import type { Codec } from '../codecs/codec.ts'
import { codecs } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'
import { warningNames } from '../contract/warnings.ts'
import type { Encoded } from '../image/encode.ts'
import type { Header } from '../image/header.ts'
import type { Image } from '../image/open.ts'
import type { Size } from '../image/size.ts'

/** Something that a renderer does with an image: it returns a report and any number of files. */
export interface Task<Params extends z.ZodObject = z.ZodObject, Report extends z.ZodObject = z.ZodObject> {
  readonly params: Params
  /** The API process checks the report by it, as it checks everything that comes from a renderer. */
  readonly report: Report
  /** Files that come with a report: at least, where there is always one, and at most. */
  readonly leastFiles?: number
  readonly mostFiles: number
  /** Bytes of one of them, at most: a renderer that was taken over could send a gigabyte. */
  readonly fileBytes: number
  /**
   * The format and size of the image that the task writes; without it the task writes none that is limited by its format.
   * @throws ApiError invalid_params, when the parameters do not suit this image
   */
  plan?(source: Header, params: z.output<Params>): Plan
  /**
   * Megapixels at work, where they are more than the file and the plan have.
   * @throws ApiError where the image is too large for it
   */
  weigh?(header: Header, params: z.output<Params>): number
  /**
   * Seconds that it may take for each megapixel at work, where that is more than all images may: what a machine needs that is several
   * times slower than a common one.
   */
  readonly secondsPerMegapixel?: number
  /** Without a plan: whether all frames of an animation are read; else the first alone. */
  readonly moves?: true
  /** Done by the renderer that can read the models and their runtime, and by no other. */
  readonly needsModels?: true
  /**
   * @param others the files behind the first, as they came: their weight is known, and nothing else of them
   * @param plan where the task has one; its format is one that can be written here
   * @throws ApiError; whatever else is thrown is the image's fault if it cannot be decoded, and ours if it can
   */
  run(image: Image, params: z.output<Params>, others: readonly Buffer[], plan?: Plan): Promise<TaskResult<z.input<Report>>>
}

export interface TaskResult<Report = Readonly<Record<string, unknown>>> {
  readonly report: Report
  readonly files: readonly Buffer[]
  /** The first file is a PNG for heif-enc; a second one is the result where heif-enc's is no smaller. */
  readonly finish?: { readonly quality: number | undefined }
}

/** What is known of the image that a task writes from the header and the parameters alone. */
export interface Plan extends Size {
  readonly codec: Codec
  /** The result has transparency that is encoded, which some formats write only of smaller images. */
  readonly alpha?: boolean
}

/** Returns its argument: it is here so that TypeScript infers the types inside `run`. */
export const defineTask = <Params extends z.ZodObject, Report extends z.ZodObject>(
  task: Task<Params, Report>,
): Task<Params, Report> => task

const side = z.int().min(1).max(limits.pixels)

/** Of the image that an operation writes. */
export const imageReport = z
  .object({
    format: z.enum(Object.values(codecs).map(({ name }) => name)),
    /** Pixels of one frame. */
    width: side,
    height: side,
    /** What the file has and the result has not. */
    warnings: z.array(z.enum(warningNames)).max(warningNames.length),
  })
  .refine(({ width, height }) => width * height <= limits.pixels, 'more pixels than an image may have')

/** A task that is an endpoint: POST /api/v1/<name>, which answers with the image that the task writes. */
export interface Operation<Params extends z.ZodObject = z.ZodObject> extends Task<Params, typeof imageReport> {
  readonly summary: string
  readonly description: string
  /** Form fields with files, the image first. */
  readonly files: readonly ('image' | 'watermark')[]
  /** The answer is called <stem>.<extension>. */
  readonly stem: string
  plan(source: Header, params: z.output<Params>): Plan
}

type OperationRow<Params extends z.ZodObject> = Pick<
  Operation<Params>,
  'summary' | 'description' | 'params' | 'files' | 'stem' | 'plan'
> & {
  /** Edits and encodes; `others` are the files behind the first. */
  render(image: Image, params: z.output<Params>, plan: Plan, others: readonly Buffer[]): Promise<Encoded>
}

/** 80 megapixels of 64 bits, not compressed at all, are 640 MB. */
const FILE_BYTES = 1024 * 1024 * 1024

/** The task of an image operation: what it renders becomes its only file. */
export const defineOperation = <Params extends z.ZodObject>({ render, ...row }: OperationRow<Params>): Operation<Params> => ({
  ...row,
  report: imageReport,
  leastFiles: 1,
  mostFiles: 1,
  fileBytes: FILE_BYTES,
  async run(image, params, others, plan) {
    if (!plan) throw new Error('an image operation was run without its plan')
    const { bytes, codec, width, height, untouched, finish } = await render(image, params, plan, others)
    const report = { format: codec.name, width, height, warnings: untouched ? [] : [...image.warnings] }
    if (!finish) return { report, files: [bytes] }
    const { quality, otherwise } = finish
    return { report, files: otherwise ? [bytes, otherwise] : [bytes], finish: { quality } }
  },
})

/** The image that an operation wrote, as the API process sends it on. */
export interface WrittenImage extends Size {
  readonly bytes: Buffer
  readonly codec: Codec
  readonly warnings: z.output<typeof imageReport>['warnings']
}

export function writtenImage({ report, files }: TaskResult<z.output<typeof imageReport>>): WrittenImage {
  const { format, width, height, warnings } = report
  const [bytes] = files
  if (!bytes) throw new Error('an image operation brought no file')
  return { bytes, codec: codecs[format], width, height, warnings }
}
