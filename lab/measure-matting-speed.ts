import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTables } from './bench/report/page-tables.ts'
import { plainText, type Table } from './bench/report/table.ts'
import { studioPicture } from './matting/studio-picture.ts'

/**
 * `node lab/measure-matting-speed.ts [--write]`: processor time and memory of background removal, for the first in a process.
 */

const sizes = [
  [1_600, 1_200],
  [4_000, 3_000],
  [6_000, 4_000],
  [10_000, 8_000],
] as const
const script = join(import.meta.dirname, 'matting/time-removal.ts')
const folder = mkdtempSync(join(tmpdir(), 'matting-'))

function rowOf(file: string, megapixels: number, format: string): readonly string[] {
  const measurement = JSON.parse(execFileSync(process.execPath, [script, file, format], { encoding: 'utf8' }))
  const { seconds, megabytes, bytes } = measurement as Readonly<Record<'seconds' | 'megabytes' | 'bytes', number>>
  return [
    `${megapixels.toFixed(0)} megapixels`,
    format,
    `${seconds.toFixed(1)} s`,
    `${megabytes.toFixed(0)} MB`,
    `${(bytes / 1e6).toFixed(1)} MB`,
  ]
}

const rows: (readonly string[])[] = []
for (const [width, height] of sizes) {
  const file = join(folder, `${width}.jpg`)
  writeFileSync(file, await studioPicture(width, height))
  for (const format of ['png', 'webp']) rows.push(rowOf(file, (width * height) / 1e6, format))
}
rmSync(folder, { recursive: true })
const table: Table = {
  title: 'Background removal from a JPEG, the first of a process',
  columns: ['picture', 'to', 'processor time', 'most memory', 'file'],
  rows,
  notes: ['One thread, as in a renderer; memory is that of the whole process, Node included.'],
}
console.log(plainText(table))
if (process.argv.includes('--write')) writeTables('lab/results/matting.md', 'node lab/measure-matting-speed.ts --write', [table])
