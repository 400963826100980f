import type { Sharp } from 'sharp'

/** A finished file and the size of one of its frames. */
export interface Written {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** Runs the pipeline: everything that was asked of it is decoded, edited and encoded here. */
export async function written(encoder: Sharp): Promise<Written> {
  const { data, info } = await encoder.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
}
