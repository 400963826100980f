import { readFileSync } from 'node:fs'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { run } from '@pixelmill/engine/way-of-a-picture'
import sharp from 'sharp'

/**
 * `node lab/matting/time-removal.ts FILE FORMAT`: one removal in a fresh process; prints the cost of the whole process as
 * JSON.
 */

const [file = '', format] = process.argv.slice(2)
// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)
const source = [readFileSync(file)]
const before = process.cpuUsage()
const task = { task: 'background', params: { format, least: 0 } } as const
const result = await run(task, source, { megapixels: Number.POSITIVE_INFINITY }, NO_PROGRAMS)
const { user, system } = process.cpuUsage(before)
const bytes = 'files' in result ? (result.files[0]?.length ?? 0) : 0
// Maximum resident memory in kilobytes.
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ seconds: (user + system) / 1e6, megabytes: maxRSS / 1024, bytes }))
