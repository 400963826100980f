import { createInterface } from 'node:readline'
import sharp from 'sharp'

/** Reads paths from stdin; for each prints 1 when sharp, as it comes, decodes the first picture of the file, else 0. */
sharp.concurrency(1)
sharp.cache(false)
for await (const path of createInterface({ input: process.stdin })) {
  const opened = await sharp(path)
    .stats()
    .then(
      () => 1,
      () => 0,
    )
  console.log(opened)
}
