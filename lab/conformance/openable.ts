import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { recognise } from '@pixelmill/codecs'

/** A file that takes the other program longer than this does not count as one that it opens. */
const LIMIT_MS = 20_000

/** The files of accepted formats that sharp or libheif's own program opens: the service must not refuse these. */
export async function openable(files: readonly string[]): Promise<ReadonlySet<string>> {
  const recognisable = files.filter((file) => recognise(readFileSync(file)))
  const openableBySharp = await openedBySharp(recognisable)
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-conformance-'))
  for (const file of recognisable) {
    if (!openableBySharp.has(file) && recognise(readFileSync(file))?.name === 'heic' && openedByLibheif(file, folder))
      openableBySharp.add(file)
  }
  rmSync(folder, { recursive: true })
  return openableBySharp
}

/** One process for all files; a file that crashes it is followed by a new one. */
async function openedBySharp(files: readonly string[]): Promise<Set<string>> {
  const openable = new Set<string>()
  for (let next = 0; next < files.length; ) {
    const answers = await sharpOn(files.slice(next))
    for (const [index, answer] of answers.entries()) if (answer === '1') openable.add(files[next + index] ?? '')
    next += answers.length + 1
  }
  return openable
}

async function sharpOn(files: readonly string[]): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'open-with-sharp.ts')], { stdio: ['pipe', 'pipe', 'ignore'] })
  const answers: string[] = []
  const end = () => void child.kill('SIGKILL')
  let timer = setTimeout(end, LIMIT_MS)
  // It may die with paths unread.
  child.stdin.on('error', end)
  child.stdin.end(files.join('\n'))
  for await (const line of createInterface({ input: child.stdout })) {
    answers.push(line)
    clearTimeout(timer)
    timer = setTimeout(end, LIMIT_MS)
  }
  clearTimeout(timer)
  return answers
}

const openedByLibheif = (file: string, folder: string): boolean =>
  spawnSync('heif-convert', [file, join(folder, 'picture.png')], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0
