import { readFileSync } from 'node:fs'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { run } from '@pixelmill/engine/way-of-a-picture'
import sharp from 'sharp'

/**
 * `node lab/enhance/time-enhance.ts FILE MODE INTENSITY`: enhances one image in a fresh process and prints the cost of the
 * whole process as JSON.
 */

const [file = '', mode, intensity] = process.argv.slice(2)
// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)
const source = [readFileSync(file)]
const before = process.cpuUsage()
const params = { mode, intensity: Number(intensity), preview: true }
const result = await run({ task: 'enhance', params }, source, { megapixels: Number.POSITIVE_INFINITY }, NO_PROGRAMS)
const { user, system } = process.cpuUsage(before)
if (!('files' in result)) throw new Error('the image was not enhanced')
// Maximum resident memory in kilobytes.
const { maxRSS } = process.resourceUsage()
const { report, files } = result
console.log(JSON.stringify({ seconds: (user + system) / 1e6, megabytes: maxRSS / 1024, bytes: files[0]?.length ?? 0, report }))
