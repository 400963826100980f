import type { FormatName } from '@pixelmill/codecs/image-formats'
import type { z } from 'zod'

/** A recipe as an agent writes it: it is parsed where it is carried out, whose errors name the place. */
export type WrittenRecipe = Readonly<Record<string, unknown>>

/** An image that was made. */
export interface MadeImage {
  /** The output's name. */
  readonly output: string
  readonly format: FormatName
  readonly mime: string
  readonly width: number
  readonly height: number
  readonly bytes: number
  /** The place of the result: a URL or a path. */
  readonly uri: string
  /** What the tools call it, such as a handle. */
  readonly image: Readonly<Record<string, string>>
  readonly expiresAt?: string
}

/** An output that could not be made, beside others that were; it costs nothing. */
export interface FailedOutput {
  readonly output: string
  /** Of docs/errors.md. */
  readonly error: string
  readonly message: string
}

export interface Edited {
  readonly images: readonly MadeImage[]
  readonly failed?: readonly FailedOutput[]
  /** A small JPEG of the first image, where one was asked for. */
  readonly preview?: Buffer | undefined
}

/** What an agent asks for. */
export interface EditOrder<Image> {
  readonly image: Image
  readonly recipe: WrittenRecipe
  /** Further files that steps name. */
  readonly files: Readonly<Record<string, Image>>
  /** The folder of the results, where there is one. */
  readonly folder?: string | undefined
  /** Whether the agent wants to look at the first image. */
  readonly preview: boolean
}

/** One place in which the tools work: a server's API, or the files of this machine. Every method throws a CodedError for what is wrong. */
export interface Door<Image = unknown> {
  /** How images are named. */
  readonly image: z.ZodType<Image>
  /** How the images of a batch are named, and where its results go. */
  readonly batch: z.ZodRawShape
  /** Further parameters of edit_image. */
  readonly edits: z.ZodRawShape
  /** Sentences of the tools' descriptions. */
  readonly texts: { readonly images: string; readonly results: string; readonly batch: string }
  edit(order: EditOrder<Image>, signal: AbortSignal): Promise<Edited>
  inspect(image: Image, fields: readonly string[] | undefined, signal: AbortSignal): Promise<object>
  makeBatch(params: Readonly<Record<string, unknown>>, work: WrittenRecipe | 'optimize', signal: AbortSignal): Promise<object>
  batchStatus(id: string, signal: AbortSignal): Promise<object>
  suggestCrop(image: Image, shapes: CropShapes, signal: AbortSignal): Promise<object>
  usage(signal: AbortSignal): Promise<object>
  /** A page of the files of a source, or the sources themselves; absent where there are none. */
  list?(query: ListOrder, signal: AbortSignal): Promise<object>
  /** Images that tools have made, by the URIs that they have named. */
  readonly results: {
    /** With the variable `part`, as RFC 6570 has it. */
    readonly template: string
    read(uri: URL, part: string, signal: AbortSignal): Promise<Buffer>
  }
  /** The presets of the account; absent where there are no accounts. */
  presets?(signal: AbortSignal): Promise<object>
  /** What a page needs of a picture, in one call; absent where no model can write a text. */
  prepare?(image: Image, order: PageOrder, signal: AbortSignal): Promise<Prepared>
}

export interface ListOrder {
  readonly source?: string | undefined
  readonly prefix?: string | undefined
  readonly folders?: boolean | undefined
  readonly cursor?: string | undefined
}

export interface PageOrder {
  readonly widths: readonly number[]
  readonly format: string
  /** Of the text, as ISO 639-1 code. */
  readonly language: string
}

export interface Prepared extends Pick<Edited, 'images' | 'failed'> {
  /** BlurHash, size and alternative text. */
  readonly facts: object
}

export interface CropShapes {
  readonly platforms?: readonly string[] | undefined
  /** Such as 3:4. */
  readonly ratio?: { readonly width: number; readonly height: number } | undefined
}
