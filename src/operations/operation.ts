import type { z } from 'zod'
import type { Codec } from '../codecs/codec.ts'
import type { Encoded } from '../image/encode.ts'
import type { Header } from '../image/header.ts'
import type { Image } from '../image/image.ts'
import type { Size } from '../image/result-size.ts'

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
