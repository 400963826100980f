import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { recognise } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'

/** A picture on the sheet. */
export interface Picture {
  /** Two lines. */
  readonly name: readonly [string, string]
  readonly file: Buffer
}

export const PICTURES = 20

/** Twenty pictures of a folder and its subfolders, evenly spread over their names, of accepted formats and sizes. */
export function* picturesIn(folder: string): Generator<Picture> {
  const files = globSync('**/*.*', { cwd: folder })
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size <= limits.background.uploadBytes)
    .filter((path) => recognise(readFileSync(path)))
  const step = Math.max(1, files.length / PICTURES)
  for (let at = 0; at < Math.min(PICTURES, files.length); at++) {
    const path = files[Math.floor(at * step)] ?? ''
    const file = readFileSync(path)
    yield { name: [basename(path).slice(0, 32), recognise(file)?.name ?? ''], file }
  }
}
