import type { Meter } from './meter.ts'

/** Numbers of images and what was made of them. */
export interface ImageMetrics {
  onImage(image: {
    readonly operation: string
    readonly inputBytes: number
    readonly outputBytes: number
    readonly pixels: number
  }): void
  /** An image of a batch. */
  onBatchImage(result: {
    readonly state: 'converted' | 'failed' | 'crashed'
    readonly inputBytes: number
    readonly outputBytes?: number
    readonly width?: number
    readonly height?: number
  }): void
}

export function imageMetrics(meter: Meter): ImageMetrics {
  const input = meter.counter('image_input_bytes_total', 'Bytes of images that were processed.', ['operation'])
  const output = meter.counter('image_output_bytes_total', 'Bytes of images that were sent.', ['operation'])
  const pixels = meter.counter('image_output_pixels_total', 'Pixels of images that were sent, one frame each.', ['operation'])
  const batchImages = meter.counter('batch_images_total', 'Images of batches: converted, failed, or crashed and tried again.', [
    'state',
  ])
  const onImage: ImageMetrics['onImage'] = ({ operation, ...image }) => {
    input.inc({ operation }, image.inputBytes)
    output.inc({ operation }, image.outputBytes)
    pixels.inc({ operation }, image.pixels)
  }
  return {
    onImage,
    onBatchImage({ state, inputBytes, outputBytes = 0, width = 0, height = 0 }) {
      batchImages.inc({ state })
      if (state === 'converted') onImage({ operation: 'convert', inputBytes, outputBytes, pixels: width * height })
    },
  }
}
