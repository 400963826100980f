import type { Picture } from '@pixelmill/engine/library/calls'

/** What is read of a picture that was made. */
export type RenderedImage = Pick<Picture, 'bytes' | 'format' | 'type' | 'extension' | 'width' | 'height' | 'keptSource'>

/** Does one work on images: on this machine, or on a server. */
export interface Engine extends AsyncDisposable {
  /** Images that can be worked on at once. */
  readonly jobs: number
  /**
   * The images of the outputs, in their order.
   * @throws ImageError or AnsweredFault about the image; RunFailure or StartError if no image can be converted; the signal's reason
   */
  render(source: Buffer, signal: AbortSignal): Promise<readonly RenderedImage[]>
}
