import { accessSync, constants } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { x265Quality } from '../codecs/heic/quality.ts'
import { codecs, HEAD_BYTES } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'
import { type Granted, RENDERER_USER, type Taken, type Task, userChanges, words } from './confinement.ts'
import { type ProgramRun, startProgram } from './program.ts'

/** One run of the program: `done` rejects when it fails or is killed. */
export interface HeifEnc {
  readonly done: Promise<Buffer>
  kill(): void
}

/**
 * Encodes a PNG of ours as HEIC with the program of libheif, in a folder of its own under the system's temporary one;
 * `nice` is its nice value, 0 without.
 */
export type HeifEncoder = (png: Buffer, quality: number | undefined, nice?: number) => HeifEnc

/**
 * x265's preset ultrafast needs a third of the time of veryfast, for 10–20 % more bytes at the same SSIM; docs/heic.md has
 * the table. One thread, as everywhere: there are as many renderers as cores.
 */
const options = ['preset=ultrafast', 'tune=ssim', 'x265:pools=none', 'x265:frame-threads=1'].flatMap((option) => ['-p', option])

/** No environment but the path where its libraries' programs are: it reads a file that is ours, and needs to know nothing. */
const environment = { PATH: process.env.PATH }

/** Its absolute path; undefined where it is not on the PATH. */
export const findHeifEnc = (): string | undefined => (process.env.PATH ?? '').split(delimiter).map(inFolder).find(isProgram)

const inFolder = (folder: string): string => join(folder, 'heif-enc')

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** It sees one folder, and no encoding is larger than the pixels. */
const heifEncTask = (program: string, granted: Granted, folder: string): Task => ({
  ...granted,
  program,
  readable: [],
  writable: [folder],
  fileBytes: 3 * limits.pixels,
})

/** The encoder, confined like a renderer as far as a program that is not Node can be: it reads what a renderer wrote. */
export const heifEncoder =
  (program: string, granted: Granted, taken: Taken): HeifEncoder =>
  (png, quality, nice = 0) => {
    let running: ProgramRun | undefined
    let killed = false

    async function encode(folder: string): Promise<Buffer> {
      const [input, output] = [join(folder, 'in.png'), join(folder, 'out.heic')]
      await writeFile(input, png)
      if (userChanges(taken)) await Promise.all([folder, input].map((path) => chown(path, RENDERER_USER, RENDERER_USER)))
      if (killed) throw new Error('heif-enc was not started: nobody waits any more')
      const confined = [...words(heifEncTask(program, granted, folder), taken), program]
      const asked = ['-q', String(x265Quality(quality ?? limits.quality.default)), ...options, '-o', output, input]
      running = startProgram('heif-enc', [...confined, ...asked], environment, nice)
      await running.done
      const written = await readFile(output)
      if (!codecs.heic.matches(written.subarray(0, HEAD_BYTES))) throw new Error('heif-enc wrote something else than HEIC')
      return written
    }
    async function run(): Promise<Buffer> {
      const folder = await mkdtemp(join(tmpdir(), 'pixelmill-heic-'))
      return encode(folder).finally(() => rm(folder, { recursive: true, force: true }))
    }

    return {
      done: run(),
      kill() {
        killed = true
        running?.kill()
      },
    }
  }
