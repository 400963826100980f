import { noise } from '../noise.ts'
import { openPlace, type Place } from '../targets.ts'

/** Prints by how many bytes a put of 200 MB, and reading it, raised the most memory this process ever had. */
const place: Place = JSON.parse(process.argv[2] ?? '')
const store = await openPlace(place)
const PNG = { contentType: 'image/png' }
const peak = () => process.resourceUsage().maxRSS * 1024
// The client of S3 and what it loads at its first use belong to the start.
await store.put('first', noise(1_000_000).stream, PNG)
const before = peak()
await store.put('large', noise(200_000_000).stream, PNG)
const put = peak() - before
const { stream } = await store.get('large')
let bytes = 0
for await (const chunk of stream) bytes += chunk.length
await store.close()
console.log(JSON.stringify({ put, both: peak() - before, bytes }))
