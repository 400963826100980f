import { Readable } from 'node:stream'
import { openPlace, type Place } from '../../../../test/support/blob-targets.ts'

/** Puts a blob that has no end, and prints how many MB of it were taken. */
const place: Place = JSON.parse(process.argv[2] ?? '')
const chunk = Buffer.alloc(1_000_000)
async function* endless() {
  for (let takenCount = 1; ; takenCount++) {
    yield chunk
    process.stdout.write(`${takenCount}\n`)
  }
}
const store = await openPlace(place)
await store.put('batch/1/endless', Readable.from(endless(), { objectMode: false }), { contentType: 'image/png' })
