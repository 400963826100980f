export { ImageError, type Issue } from '@pixelmill/codecs/contract/image-errors'
export { StartError } from '@pixelmill/codecs/contract/start-error'
export type {
  AcceptOptions,
  CallOptions,
  CutOutFacts,
  CutOutOptions,
  CutOutPicture,
  Picture,
  Pixelmill,
  RenderOptions,
} from '@pixelmill/engine/library/calls'
export type { Isolation } from '@pixelmill/engine/library/isolation'
export type { BackgroundModel, PixelmillOptions } from '@pixelmill/engine/library/options'
export { EngineClosed, openPixelmill } from '@pixelmill/engine/library/pixelmill'
export type { Source } from '@pixelmill/engine/library/source'
export type * from '@pixelmill/engine/library/types'
export { VERSION } from '@pixelmill/engine/version'
