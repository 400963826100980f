import { photo } from '@pixelmill/codecs/test/support/pictures'
import { zipOf } from '../../../test/support/batch-call.ts'

/** An archive of so many pictures. */
export async function archive(images: number): Promise<Buffer> {
  const pictures = Array.from(
    { length: images },
    async (_, nth) => [`${nth}.png`, await photo(500, 400).png().toBuffer()] as const,
  )
  return zipOf(Object.fromEntries(await Promise.all(pictures)))
}
