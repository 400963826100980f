import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Engine } from '../engine/engine.ts'
import { EXIT } from '../exit.ts'
import { ImageFailure, imageError, systemCode } from '../failure.ts'
import { localFile } from '../files/local-sources.ts'
import { bytesText, nameText, savedText } from '../format.ts'
import type { Reporter } from './report.ts'

/**
 * Converts one image; `-` is standard input as the source, and standard output as the target. An existing target is replaced.
 * @returns the exit code
 */
export async function convertOneFile(
  source: string,
  out: string,
  engine: Engine,
  report: Reporter,
  signal: AbortSignal,
): Promise<number> {
  const began = performance.now()
  let inputBytes = 0
  const ms = () => Math.round(performance.now() - began)
  try {
    const content = source === '-' ? await buffer(process.stdin) : await localFile(source).read()
    inputBytes = content.length
    const [image] = await engine.render(content, signal)
    if (!image) throw new Error('a recipe made no image')
    await (out === '-' ? writeOut(image.bytes) : replaceFile(out, image.bytes))
    const outputBytes = image.bytes.length
    if (out === '-') return EXIT.done
    report.outcome({ source, status: 'done', targets: [out], inputBytes, outputBytes, ms: ms() })
    report.detail(`${nameText(out)}: ${bytesText(inputBytes)} → ${bytesText(outputBytes)}, ${savedText(inputBytes, outputBytes)}`)
    return EXIT.done
  } catch (thrown) {
    const error = imageError(thrown)
    if (!error) throw thrown
    report.outcome({ source, status: 'failed', targets: [], inputBytes, outputBytes: 0, ms: ms(), error })
    return EXIT.someFailed
  }
}

function writeOut(bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process.stdout.once('error', (error) => reject(new ImageFailure('unwritable', systemCode(error))))
  process.stdout.write(bytes, () => resolve())
  return promise
}

/** Complete or not at all: it gets its name when its bytes are written. */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const temporary = join(dirname(path), `.pixelmill-${process.pid}.incomplete`)
  try {
    await writeFile(temporary, bytes)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new ImageFailure('unwritable', `${path} (${systemCode(error)})`, { cause: error })
  }
}
