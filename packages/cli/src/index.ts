export { ImageError, type Issue } from '@pixelmill/codecs/contract/image-errors'
export { StartError } from '@pixelmill/codecs/contract/start-error'
export type { Isolation } from '@pixelmill/engine/library/isolation'
export type { PixelmillOptions } from '@pixelmill/engine/library/options'
export {
  type AcceptOptions,
  type CallOptions,
  EngineClosed,
  openPixelmill,
  type Picture,
  type Pixelmill,
  type RenderOptions,
} from '@pixelmill/engine/library/pixelmill'
export type { Source } from '@pixelmill/engine/library/source'
export type * from '@pixelmill/engine/library/types'
export { VERSION } from '@pixelmill/engine/version'
