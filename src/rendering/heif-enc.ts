import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { x265Quality } from '../codecs/heic/quality.ts'
import { codecs, HEAD_BYTES } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'

/** One run of the program: `done` rejects when it fails or is killed. */
export interface HeifEnc {
  readonly done: Promise<Buffer>
  kill(): void
}

/**
 * x265's preset ultrafast needs a third of the time of veryfast for the same bytes at the same SSIM; docs/heic.md has the
 * table. One thread, as everywhere: there are as many renderers as cores.
 */
const options = ['preset=ultrafast', 'tune=ssim', 'x265:pools=none', 'x265:frame-threads=1'].flatMap((option) => ['-p', option])

/** Encodes a PNG of ours as HEIC with the program of libheif, in a folder of its own under the system's temporary one. */
export function heifEnc(png: Buffer, quality: number | undefined): HeifEnc {
  let child: ChildProcess | undefined
  let killed = false

  async function run(): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'pixelmill-heic-'))
    try {
      const [input, output] = [join(folder, 'in.png'), join(folder, 'out.heic')]
      await writeFile(input, png)
      await encode(['-q', String(x265Quality(quality ?? limits.quality.default)), ...options, '-o', output, input])
      const written = await readFile(output)
      if (!codecs.heic.matches(written.subarray(0, HEAD_BYTES))) throw new Error('heif-enc wrote something else than HEIC')
      return written
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  function encode(args: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (killed) throw new Error('heif-enc was not started: nobody waits any more')
      // No environment but the path it is found by: it reads a file that is ours, and needs to know nothing. A process
      // group of its own: Ctrl-C does not reach it, and a wrapper script dies with what it started.
      const env = { PATH: process.env.PATH }
      child = spawn('heif-enc', args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
      let words = ''
      child.stderr?.on('data', (chunk: Buffer) => {
        words = (words + chunk.toString()).slice(-500)
      })
      child.once('error', reject)
      child.once('close', (code, signal) => {
        // Its number may be another's from now on.
        child = undefined
        if (code === 0) resolve()
        else reject(new Error(`heif-enc ended with ${signal ?? `code ${code}`}: ${words.trim()}`))
      })
    })
  }

  return {
    done: run(),
    kill() {
      killed = true
      if (child?.pid) killGroup(child.pid)
    },
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // ESRCH, and on macOS EPERM: all of it has ended already.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}
