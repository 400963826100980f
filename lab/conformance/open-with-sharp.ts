import { createInterface } from 'node:readline'
import sharp from 'sharp'

/**
 * Reads paths from stdin; for each prints 1 if sharp, with its defaults, decodes the first picture of the file, otherwise 0.
 * Decodes to one pixel to save memory; stats() would tolerate damage that a conversion does not.
 */
sharp.concurrency(1)
sharp.cache(false)
for await (const path of createInterface({ input: process.stdin })) {
  const shrunk = sharp(path).resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  console.log(
    await shrunk.then(
      () => 1,
      () => 0,
    ),
  )
}
