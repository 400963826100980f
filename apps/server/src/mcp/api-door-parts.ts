import type { FormatName } from '@pixelmill/codecs/image-formats'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import type { OwnAnswer, OwnRequest } from '../contract/own-request.ts'

/** What the tools need of a server. */
export interface ApiDoorParts {
  /** Aborted when the agent has gone, whatever its tool is doing. */
  readonly gone: AbortSignal
  /** Sends a request with the agent's own credentials, which is admitted and charged as any other. */
  api(request: OwnRequest): Promise<OwnAnswer>
  /** The content of an upload of the account. @throws ApiError upload_not_found */
  readUpload(handle: string): Promise<Buffer>
  /** @throws ApiError too_many_uploads */
  saveUpload(bytes: Buffer, mime: string): Promise<{ readonly handle: string; readonly expiresAt: string }>
  removeUpload(handle: string): Promise<void>
  /** The original of a source of the account. @throws ApiError source_not_found, source_image_not_found */
  readOriginal(source: string, path: string, signal: AbortSignal): Promise<Buffer>
  /** The image at an address, as with imageUrl. @throws ApiError source_unavailable, file_too_large, invalid_params */
  fetchImage(url: string, signal: AbortSignal): Promise<Buffer>
  /** Makes an image of a source of the account, which is then at a signed URL. @throws ApiError as GET /i/ does */
  deliver(source: string, path: string, recipe: Recipe): Promise<DeliveredImage>
  /** A small picture of an image, where there can be one. */
  preview(image: Buffer, signal: AbortSignal): Promise<Buffer | undefined>
  /** Makes the address of a path, as the agent reaches this server. */
  address(path: string): string
}

export interface DeliveredImage {
  /** From /i/ on. */
  readonly url: string
  readonly format: FormatName
  readonly mime: string
  readonly width: number
  readonly height: number
  readonly content: Buffer
}
