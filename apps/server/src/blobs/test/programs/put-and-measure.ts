import { Readable } from 'node:stream'
import { openPlace, type Place } from '../../../../test/support/blob-targets.ts'

/** Prints by how many bytes a put of 200 MB, and reading it, raised the most memory this process ever had. */
const place: Place = JSON.parse(process.argv[2] ?? '')
const PNG = { contentType: 'image/png' }
/** One chunk again and again: a source without rubbish of its own. */
const chunk = Buffer.alloc(50_000, 'pixels')
function* repeatedChunks(times: number) {
  for (let givenCount = 0; givenCount < times; givenCount++) yield chunk
}
const source = (times: number) => Readable.from(repeatedChunks(times), { objectMode: false })
const peak = () => process.resourceUsage().maxRSS * 1024

const store = await openPlace(place)
// The client of S3 and what it loads at its first use belong to the start.
await store.put('first', source(1), PNG)
const before = peak()
await store.put('large', source(4_000), PNG)
const put = peak() - before
const { stream } = await store.get('large')
let bytes = 0
for await (const chunk of stream) bytes += chunk.length
await store.close()
console.log(JSON.stringify({ put, both: peak() - before, bytes }))
