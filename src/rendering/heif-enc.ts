import { accessSync, constants } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type HeicWriter, x265Quality } from '../codecs/heic/writers.ts'
import { codecs, HEAD_BYTES } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'
import { StartError } from '../contract/start-error.ts'
import {
  commandPrefix,
  type Granted,
  measures,
  RENDERER_USER,
  type Taken,
  type Task,
  userChanges,
} from './sandbox/confinement.ts'
import { type ProgramRun, startProgram } from './sandbox/processes.ts'
import { workingMeasures } from './sandbox/working-measures.ts'

/** One run of the program: `done` rejects if it fails or is killed. */
export interface HeifEnc {
  readonly done: Promise<Buffer>
  kill(): void
}

/**
 * Encodes one of our PNGs as HEIC with libheif's program, in a temporary folder of its own;
 * `nice` is its nice value, 0 by default.
 */
export type HeifEncoder = (png: Buffer, quality: number | undefined, nice?: number) => HeifEnc

/**
 * x265's preset ultrafast takes a third of the time of veryfast, for 10–20 % more bytes at the same SSIM; docs/heic.md has the
 * table.
 * One thread: there are as many renderers as cores.
 */
const options = ['preset=ultrafast', 'tune=ssim', 'x265:pools=none', 'x265:frame-threads=1'].flatMap((option) => ['-p', option])

/** No environment except the path to its libraries' programs: it reads one of our files, and needs nothing else. */
const environment = { PATH: process.env.PATH }

/** Its absolute path; undefined if it is not on the PATH. */
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

/** It sees a single folder, and no encoding is larger than the pixels. */
const heifEncTask = (program: string, granted: Granted, folder: string): Task => ({
  ...granted,
  program,
  readable: [],
  writable: [folder],
  fileBytes: 3 * limits.pixels,
})

/** The encoder in a sandbox like a renderer's, as far as possible for a program other than Node: it reads a renderer's output. */
export const heifEncoder =
  (program: string, granted: Granted, taken: Taken): HeifEncoder =>
  (png, quality, nice = 0) => {
    let running: ProgramRun | undefined
    let killed = false

    async function encode(folder: string): Promise<Buffer> {
      const [input, output] = [join(folder, 'in.png'), join(folder, 'out.heic')]
      await writeFile(input, png)
      if (userChanges(taken)) await Promise.all([folder, input].map((path) => chown(path, RENDERER_USER, RENDERER_USER)))
      if (killed) throw new Error('heif-enc was not started: its image was abandoned')
      const confined = [...commandPrefix(heifEncTask(program, granted, folder), taken), program]
      const asked = [
        '-q',
        String(x265Quality(quality ?? limits.quality.default, pngMegapixels(png))),
        ...options,
        '-o',
        output,
        input,
      ]
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

/** Width and height are the first fields of a PNG's first chunk, IHDR (PNG, 11.2.1). */
const pngMegapixels = (png: Buffer): number => (png.readUInt32BE(16) * png.readUInt32BE(20)) / 1e6

/** One grey pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** The test takes 50 ms; a hanging program must not block the server's start. */
const PATIENCE_MS = 3_000

/** How HEIC is written on this machine. */
export interface HeicWriting {
  readonly heicWriter: HeicWriter
  /** Present if heif-enc is used. */
  readonly encodeHeif?: HeifEncoder
}

async function works(encode: HeifEncoder): Promise<boolean> {
  const { done, kill } = encode(PIXEL, undefined)
  const patience = setTimeout(kill, PATIENCE_MS)
  const worked = await done.then(
    () => true,
    () => false,
  )
  clearTimeout(patience)
  return worked
}

/** heif-enc, if it is on the path and can write HEVC: newer packages have x265 in a separate plug-in, which may be missing. */
async function workingHeifEnc(granted: Granted): Promise<HeifEncoder | undefined> {
  const program = findHeifEnc()
  if (!program) return undefined
  const applicable = measures.filter(({ flags }) => !flags)
  const taken = await workingMeasures(applicable, (some) => works(heifEncoder(program, granted, some)))
  return taken && heifEncoder(program, granted, taken)
}

/**
 * Chooses how HEIC is written, and the sandbox of heif-enc.
 * @throws StartError if heif-enc is requested and does not work
 */
export async function chooseHeicWriter(asked: HeicWriter | 'auto', granted: Granted): Promise<HeicWriting> {
  if (asked === 'elheif' || asked === 'none') return { heicWriter: asked }
  const encodeHeif = await workingHeifEnc(granted)
  if (encodeHeif) return { heicWriter: 'heif-enc', encodeHeif }
  if (asked === 'auto') return { heicWriter: 'elheif' }
  throw new StartError('HEIC_WRITER is heif-enc, but that program is not on the PATH or cannot write HEVC.')
}
