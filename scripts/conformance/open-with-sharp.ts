import { createInterface } from 'node:readline'
import sharp from 'sharp'

/**
 * Reads paths from stdin; for each prints 1 when sharp, as it comes, decodes the first picture of the file, else 0.
 * To one pixel, so that it takes no memory; stats() would forgive damage that no conversion does.
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
