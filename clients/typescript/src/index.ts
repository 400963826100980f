export type * from './api-types.ts'
export { Batch, type Waiting } from './batch.ts'
export { type OwnCode, PixelmillError } from './error.ts'
export type { FileInput, ImageInput } from './files.ts'
export type { Picture, Preparation } from './picture.ts'
export {
  type AltTextOptions,
  type AltTexts,
  type BatchOptions,
  type ConvertOptions,
  type ImagesOptions,
  type InfoFields,
  type OptimizeOptions,
  Pixelmill,
  type RemoveBackgroundOptions,
  type StartedBatch,
} from './pixelmill.ts'
export type { Call, Options, Send } from './request.ts'
export { signUrl, verifyWebhook } from './signing.ts'
export type { Files } from './zip.ts'
