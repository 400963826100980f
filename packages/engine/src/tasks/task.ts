import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { warningNames } from '@pixelmill/codecs/contract/warnings'
import type { MapFiles } from '@pixelmill/codecs/hdr/gain-map'
import type { GainMapValues } from '@pixelmill/codecs/hdr/values'
import type { Header } from '@pixelmill/codecs/pixels/header'
import type { Image } from '@pixelmill/codecs/pixels/open'
import type { ProgramName, Programs } from '@pixelmill/codecs/programs'
import { z } from 'zod'
import type { Encoded } from '../image/encode.ts'
import type { Plan } from '../recipe/plan.ts'

/** Work of a renderer on an image: it returns a report and any number of files. */
export type Task<Params extends z.ZodObject = z.ZodObject, Report extends z.ZodObject = z.ZodObject> =
  | PlannedTask<Params, Report>
  | PixelTask<Params, Report>
  | FileTask<Params, Report>

interface TaskRow<Params extends z.ZodObject, Report extends z.ZodObject> {
  readonly params: Params
  /** The API process checks the report by this schema, like everything from a renderer. */
  readonly report: Report
  /** Minimum number of files, if there is always one, and maximum. */
  readonly leastFiles?: number
  readonly mostFiles: number
  /** Maximum bytes of one file: a compromised renderer could send a gigabyte. */
  readonly fileBytes: number
  /**
   * Processed megapixels, if they are more than those of file and plan.
   * @throws ImageError if the image is too large
   */
  weigh?(header: Header, params: z.output<Params>): number
  /**
   * Maximum seconds per processed megapixel, if that is more than the general limit: sized for a machine several times slower
   * than common ones.
   */
  readonly secondsPerMegapixel?: number
  /** Only the renderer with access to the models and their runtime can do it. */
  readonly needsModels?: true
  /** The answer that the file's header gives, without decoding; undefined where pixels are needed. */
  look?(header: Header, bytes: Buffer, params: z.output<Params>): TaskResult<z.input<Report>> | undefined
}

/** A task that carries out a recipe. */
export interface PlannedTask<Params extends z.ZodObject = z.ZodObject, Report extends z.ZodObject = z.ZodObject>
  extends TaskRow<Params, Report> {
  /**
   * What the task makes of the image.
   * @throws ImageError invalid_params if the parameters do not suit this image, image_too_large
   */
  plan(source: Header, params: z.output<Params>, programs: Programs): Plan
  /** The report on the images that were written, in the order of the outputs. */
  reportOn(images: readonly [ImageReport, ...ImageReport[]]): z.input<Report>
  readonly run?: never
  readonly runOnFile?: never
  readonly moves?: never
}

/** A task that does something else with the pixels. */
export interface PixelTask<Params extends z.ZodObject, Report extends z.ZodObject> extends TaskRow<Params, Report> {
  readonly plan?: never
  readonly reportOn?: never
  readonly runOnFile?: never
  /** Whether all frames of an animation are read, or only the first. */
  readonly moves?: true
  /**
   * @param others the other files as received: only their weight is known
   * @throws ImageError; any other error is the image's fault if it cannot be decoded, otherwise ours
   */
  run(image: Image, params: z.output<Params>, others: readonly Buffer[]): Promise<TaskResult<z.input<Report>>>
}

/** A task on a file that is none of the formats. */
export interface FileTask<Params extends z.ZodObject, Report extends z.ZodObject> extends TaskRow<Params, Report> {
  readonly plan?: never
  readonly reportOn?: never
  readonly run?: never
  readonly moves?: never
  /** @throws ImageError; any other error is ours */
  runOnFile(bytes: Buffer, params: z.output<Params>): Promise<TaskResult<z.input<Report>>>
}

/** A file that a plan wrote. */
export interface OutputFile extends Encoded {
  /** For a file that an external program finishes: what it gets afterwards. */
  readonly gainMap?: MapFiles
}

export interface TaskResult<Report = Readonly<Record<string, unknown>>> {
  readonly report: Report
  readonly files: readonly Buffer[]
  /** Files that programs finish. */
  readonly finish?: readonly ToFinish[]
}

/** A file, by its index, that a program has to encode; other indices are those of further files. */
export interface ToFinish {
  readonly program: ProgramName
  readonly file: number
  readonly quality?: number | undefined
  /** What is sent if the program's result is no smaller. */
  readonly otherwise?: number | undefined
  /** Added to the program's result. */
  readonly gainMap?: { readonly file: number; readonly values: GainMapValues } | undefined
}

/** Returns its argument, so that TypeScript infers the types inside `run`. */
export const defineTask = <Params extends z.ZodObject, Report extends z.ZodObject>(
  task: PixelTask<Params, Report>,
): PixelTask<Params, Report> => task

/** The same, of a task that carries out a recipe. */
export const definePlannedTask = <Params extends z.ZodObject, Report extends z.ZodObject>(
  task: PlannedTask<Params, Report>,
): PlannedTask<Params, Report> => task

/** The same, of a task on a file. */
export const defineFileTask = <Params extends z.ZodObject, Report extends z.ZodObject>(
  task: FileTask<Params, Report>,
): FileTask<Params, Report> => task

const side = z.int().min(1).max(limits.pixels)

/** SSIMULACRA2 has no minimum; of unlike pictures it is some hundreds below 0. */
const LEAST_SCORE = -10_000

const warnings = z.array(z.enum(warningNames).meta(component('ImageWarning'))).max(warningNames.length)
const hdr = z.enum(['kept', 'dropped']).meta(component('HdrResult'))
const contentCredentials = z.enum(['removed', 'signed']).meta(component('ContentCredentials'))
const reversible = z.literal('jpeg')
const keptSource = z.boolean()

/** What became of features that the source has, for answers that say it in JSON; headers say it of single images. */
export const sourceFeatures = {
  hdr: hdr.optional().describe('Only of an HDR source, with a gain map or coded by PQ or HLG.'),
  contentCredentials: contentCredentials
    .optional()
    .describe('Only of a source with a C2PA manifest: signed where the result has a new one.'),
  reversible: reversible.optional().describe('Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.'),
  keptSource: keptSource.optional().describe('Only where the file as it came is sent, since nothing smaller looks as good.'),
  warnings: warnings.optional().describe('Only where not all of the file is in the result.'),
}
export type SourceFeatures = z.output<z.ZodObject<typeof sourceFeatures>>

/** The same, in the reports of tasks. */
export const featureReport = { hdr: hdr.exactOptional(), contentCredentials: contentCredentials.exactOptional() }

/** Of the image that an operation writes. */
export const imageReport = z
  .object({
    format: z.enum(Object.values(codecs).map(({ name }) => name)),
    /** Pixels of one frame. */
    width: side,
    height: side,
    /** Features of the file that the result lacks. */
    warnings,
    /** SSIMULACRA2, where a score or a number of bytes was asked for. */
    score: z.number().min(LEAST_SCORE).max(100).exactOptional(),
    ...featureReport,
    reversible: reversible.exactOptional(),
    keptSource: keptSource.exactOptional(),
  })
  .refine(({ width, height }) => width * height <= limits.pixels, 'more pixels than an image may have')

export type ImageReport = z.output<typeof imageReport>

/** What became of features of the source, of those that it has. */
export const featuresOf = ({ hdr, contentCredentials, reversible, keptSource, warnings }: WrittenImage): SourceFeatures => ({
  ...(hdr && { hdr }),
  ...(contentCredentials && { contentCredentials }),
  ...(reversible && { reversible }),
  ...(keptSource && { keptSource }),
  ...(warnings.length > 0 && { warnings }),
})

/** An image that was written, as the API process sends it on. */
export interface WrittenImage extends Omit<ImageReport, 'format'> {
  readonly bytes: Buffer
  readonly codec: Codec
}

/** The image of an operation. */
export const writtenImage = ({ report, files }: TaskResult<ImageReport>): WrittenImage => imageOf(report, files[0])

/** The images of a recipe, in the order of its outputs. */
export const writtenImages = ({
  report,
  files,
}: TaskResult<{ readonly outputs: readonly ImageReport[] }>): readonly WrittenImage[] =>
  report.outputs.map((output, index) => imageOf(output, files[index]))

function imageOf({ format, ...rest }: ImageReport, bytes: Buffer | undefined): WrittenImage {
  if (!bytes) throw new Error('an output has no file')
  return { bytes, codec: codecs[format], ...rest }
}
