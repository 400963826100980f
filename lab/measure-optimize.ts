import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { recognise } from '@pixelmill/codecs'
import { libvips, sharp } from '@pixelmill/codecs/sharp'
import { compare, type Result, type Subject } from './optimize/compare.ts'
import { isInstalled, tools } from './optimize/tools.ts'

/**
 * `node lab/measure-optimize.ts [--write] FILE…` or `--list FILE` with a path on each line: compares optimize with the
 * programs of the format, by bytes at equal SSIM. JPEG, PNG and GIF are used as they are; stills also as WebP.
 */

const QUALITIES = [50, 75, 90] as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, list: { type: 'string' } },
})
const listedFiles = values.list ? readFileSync(values.list, 'utf8').split('\n').filter(Boolean) : []
const files = [...listedFiles, ...positionals]
if (files.length === 0) throw new Error('Name files, or a list of them.')

// A renderer has these settings: one image, one core.
libvips().concurrency(1)
libvips().cache(false)

async function subjectsOf(path: string): Promise<readonly Subject[]> {
  const file = readFileSync(path)
  const format = recognise(file)?.name
  if (format === 'gif') return [{ format, ours: file, theirs: file }]
  if (format !== 'jpeg' && format !== 'png') throw new Error(`${path} is neither JPEG, PNG nor GIF`)
  const pixels = sharp(file, { autoOrient: true })
  const theirs = await pixels.clone().png({ compressionLevel: 1 }).toBuffer()
  const webp = await pixels.clone().webp({ lossless: true, effort: 0 }).toBuffer()
  return [
    { format, ours: file, theirs: file },
    { format: 'webp', ours: webp, theirs },
  ]
}

const installedTools = tools.filter(isInstalled)
const results: Result[] = []
for (const path of files) {
  for (const subject of await subjectsOf(path)) {
    const comparison = await compare(subject, installedTools, QUALITIES)
    for (const { tool, quality, bytes, ssim, toolBytes, cpuMs } of comparison) {
      const ratio = toolBytes ? (bytes / toolBytes).toFixed(3) : '–'
      console.error(basename(path), tool.name, quality, bytes, ssim.toFixed(4), ratio, `${cpuMs.toFixed(0)} ms`)
    }
    results.push(...comparison)
  }
}

/** Geometric mean of our bytes divided by the tool's, and the number of pictures on which the tool reaches that SSIM. */
function cell(tool: string, quality: number): string {
  const rows = results.filter((row) => row.tool.name === tool && row.quality === quality)
  const ratios = rows.flatMap(({ bytes, toolBytes }) => (toolBytes ? [Math.log(bytes / toolBytes)] : []))
  const mean = ratios.reduce((sum, value) => sum + value, 0) / ratios.length
  return ratios.length === 0 ? '–' : `${Math.exp(mean).toFixed(2)} (${ratios.length} of ${rows.length})`
}

const lines = installedTools
  .filter(({ name }) => results.some(({ tool }) => tool.name === name))
  .map(({ format, name }) => `| ${format} | \`${name}\` | ${QUALITIES.map((quality) => cell(name, quality)).join(' | ')} |`)
const table = [
  `| format | beside | ${QUALITIES.map((quality) => `quality ${quality}`).join(' | ')} |`,
  '|---|---|---|---|---|',
  ...lines,
].join('\n')
console.log(table)

if (values.write) {
  const page = join(import.meta.dirname, '../docs/optimize.md')
  const before = '<!-- measured -->'
  const after = '<!-- end -->'
  const text = readFileSync(page, 'utf8')
  const start = text.indexOf(before) + before.length
  const end = text.indexOf(after)
  writeFileSync(page, `${text.slice(0, start)}\n${table}\n${text.slice(end)}`)
}
