import type { z } from 'zod'
import type { Codec } from '../codecs/codec.ts'
import type { Encoded } from '../image/encode.ts'
import type { Header } from '../image/header.ts'
import type { Image } from '../image/open.ts'
import type { Size } from '../image/size.ts'

/** What the answer will be, known from the header and the parameters alone. */
export interface Plan extends Size {
  readonly codec: Codec
  /** The result has transparency that is encoded, which some formats write only of smaller images. */
  readonly alpha?: boolean
}

/** One image operation, as data: an endpoint POST /api/v1/<name>, its form fields, and what is done to the pixels. */
export interface Operation<Params extends z.ZodObject = z.ZodObject> {
  readonly summary: string
  readonly description: string
  readonly params: Params
  /** Form fields with files, the image first. */
  readonly files: readonly ('image' | 'watermark')[]
  /** The answer is called <stem>.<extension>. */
  readonly stem: string
  /** @throws ApiError invalid_params, when the parameters do not suit this image. */
  plan(source: Header, params: z.output<Params>): Plan
  /** Does the work; `extras` are the files behind the first. */
  render(image: Image, params: z.output<Params>, plan: Plan, extras: readonly Buffer[]): Promise<Encoded>
}

/** Returns its argument: it is here so that TypeScript infers `params` inside `plan` and `render`. */
export const defineOperation = <Params extends z.ZodObject>(operation: Operation<Params>): Operation<Params> => operation

/** Something to find out about an image in a renderer, as data: no answer to a caller, but a step of one. */
export interface Study<Params extends z.ZodObject = z.ZodObject, Report extends z.ZodObject = z.ZodObject> {
  /** Made by the server itself: it says what they are, and checks nothing. */
  readonly params: Params
  /** Checked where it arrives, as is everything that comes from a renderer. */
  readonly report: Report
  /** Files that come with a report, at most. */
  readonly mostFiles: number
  /** Bytes of one of them, at most: they become Base64, of which a renderer that was taken over could send a gigabyte. */
  readonly fileBytes: number
  /**
   * Megapixels at work, where they are more than the file has.
   * @throws ApiError where the image is too large for it
   */
  weigh?(header: Header, params: z.output<Params>): number
  /**
   * Seconds that it may take for each megapixel at work, where that is more than all images may: what a machine needs that is several
   * times slower than a common one.
   */
  readonly secondsPerMegapixel?: number
  /** Whether all frames of an animation are looked at; else the first alone. */
  readonly moves?: true
  /** Done by the renderer that can read the models and their runtime, and by no other. */
  readonly needsModels?: true
  /**
   * @param others what came with the image, as it came: their weight is known, and nothing else of them
   * @throws ApiError; whatever else is thrown is the image's fault if it cannot be decoded, and ours if it can
   */
  examine(image: Image, params: z.output<Params>, others: readonly Buffer[]): Promise<Examined<z.input<Report>>>
}

export interface Examined<Report = Readonly<Record<string, unknown>>> {
  readonly report: Report
  readonly files: readonly Buffer[]
}

/** Returns its argument: it is here so that TypeScript infers the types inside `examine`. */
export const defineStudy = <Params extends z.ZodObject, Report extends z.ZodObject>(
  study: Study<Params, Report>,
): Study<Params, Report> => study
