import type { Isolation } from './isolation.ts'
import type { Source } from './source.ts'
import type {
  ConvertOptions,
  ImageInfo,
  InfoField,
  OptimizeOptions,
  PictureFacts,
  Recipe,
  SuggestCropsOptions,
  SuggestedCrops,
} from './types.ts'

export interface CallOptions {
  /** Ends the work: the call rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

export interface AcceptOptions {
  /** The header Accept of whoever gets the picture, for the formats `auto` and `best`. */
  readonly accept?: string | undefined
}

export interface RenderOptions extends CallOptions, AcceptOptions {
  /** Further pictures, by the names that steps have for them. */
  readonly files?: Readonly<Record<string, Source>> | undefined
}

/** A picture that was made. */
export interface Picture extends PictureFacts {
  /** Of its output in the recipe; else `image`. */
  readonly name: string
  readonly bytes: Buffer
  /** Such as `image/webp`. */
  readonly type: string
  /** Such as `jpg`, without a dot. */
  readonly extension: string
}

/** How a subject is cut out. */
export interface CutOutOptions {
  /** png by default. */
  readonly format?: 'png' | 'webp' | undefined
  /** Without a model, the least confidence from 0 to 1 that a result must have; 0.7 by default. */
  readonly minConfidence?: number | undefined
}

/** What is known of a subject that was cut out. */
export interface CutOutFacts {
  /** How likely it is right, from 0 to 1. */
  readonly confidence: number
  readonly remover: 'model' | 'local'
}

/** A subject on transparency. */
export interface CutOutPicture
  extends CutOutFacts,
    Pick<Picture, 'bytes' | 'format' | 'type' | 'extension' | 'width' | 'height' | 'hdr' | 'contentCredentials'> {}

/** Converts pictures in processes that are confined. Every call may run beside others. */
export interface Pixelmill extends AsyncDisposable {
  /**
   * One picture in another size or format.
   * @throws ImageError; StartError where renderers do not start; Error of the file system; the signal's reason
   */
  convert(source: Source, options?: ConvertOptions & CallOptions & AcceptOptions): Promise<Picture>
  /** The same format in fewer bytes; never larger than the source. @throws as `convert` */
  optimize(source: Source, options?: OptimizeOptions & CallOptions): Promise<Picture>
  /** The outputs of a recipe, in their order. @throws as `convert` */
  render(source: Source, recipe: Recipe, options?: RenderOptions): Promise<readonly Picture[]>
  /** What a picture is and carries. Places are left out unless `exif.gps` is asked for. @throws as `convert` */
  info(source: Source, options?: CallOptions & { readonly fields?: readonly InfoField[] | undefined }): Promise<ImageInfo>
  /** Crops that keep the most salient part. @throws as `convert` */
  suggestCrops(source: Source, options?: SuggestCropsOptions & CallOptions): Promise<SuggestedCrops>
  /** The subject on transparency; of an animation, that of the first frame. @throws as `convert` */
  removeBackground(source: Source, options?: CutOutOptions & CallOptions): Promise<CutOutPicture>
  readonly isolation: Isolation
  /** Waits for the calls that have begun, then ends all processes; later calls reject with EngineClosed. */
  close(): Promise<void>
}
