import { rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Engine } from '../engine/engine.ts'
import { EXIT } from '../exit.ts'
import { ImageFailure, imageError, systemCode } from '../failure.ts'
import { localFile } from '../files/local-sources.ts'
import { makeFolder } from '../files/make-folder.ts'
import { nameText } from '../format.ts'
import { doneText, type Reporter } from './report.ts'
import { type FileVersion, fileVersion, type SingleResults } from './single-results.ts'

interface OneFile {
  readonly source: string
  readonly out: string
  /** The version of what is done. */
  readonly recipe: string
  /** Whether the target gets the time of the last change of the source. */
  readonly keepsTimes: boolean
  readonly results: SingleResults
}

/**
 * Converts one image; `-` is standard input as the source, and standard output as the target. An existing target is replaced, unless it is
 * what the same recipe has made of the file as it still is.
 * @returns the exit code
 */
export async function convertOneFile(
  { source, out, recipe, keepsTimes, results }: OneFile,
  engine: Engine,
  report: Reporter,
  signal: AbortSignal,
): Promise<number> {
  const isPipe = source === '-' || out === '-'
  const earlier = isPipe ? undefined : results.sizesIfUnchanged(source, out, recipe)
  if (earlier) {
    report.outcome({ source, status: 'unchanged', targets: [out], results: [], ...earlier, ms: 0 })
    report.detail(`${nameText(out)}: unchanged`)
    return EXIT.done
  }
  const began = performance.now()
  let inputBytes = 0
  const ms = () => Math.round(performance.now() - began)
  try {
    const before = isPipe ? undefined : fileVersion(source)
    const content = source === '-' ? await buffer(process.stdin) : await localFile(source).read()
    inputBytes = content.length
    const [image] = await engine.render(content, signal)
    if (!image) throw new Error('a recipe made no image')
    await (out === '-' ? writeOut(image.bytes) : replaceFile(out, image.bytes, keepsTimes ? before?.changed : undefined))
    const outputBytes = image.bytes.length
    const sourceFact = image.keptSource ? ({ keptSource: true } as const) : {}
    if (out === '-') return EXIT.done
    if (before) noteResult(before)
    report.outcome({ source, status: 'done', targets: [out], results: [], inputBytes, outputBytes, ms: ms(), ...sourceFact })
    report.detail(doneText(out, { inputBytes, outputBytes }))
    return EXIT.done
  } catch (cause) {
    const error = imageError(cause)
    if (!error) throw cause
    report.outcome({ source, status: 'failed', targets: [], results: [], inputBytes, outputBytes: 0, ms: ms(), error })
    return EXIT.someFailed
  }

  function noteResult(before: FileVersion): void {
    try {
      results.note(source, out, recipe, before)
    } catch (error) {
      // The image is there; only the next run will make it again.
      report.note(`What was made cannot be noted (${systemCode(error)}): the same command will convert the image again.`)
    }
  }
}

function writeOut(bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process.stdout.once('error', (error) => reject(new ImageFailure('unwritable', systemCode(error))))
  process.stdout.write(bytes, () => resolve())
  return promise
}

/** Complete or not at all: it gets its name when its bytes are written. @throws ImageFailure */
async function replaceFile(path: string, bytes: Buffer, changedMs: number | undefined): Promise<void> {
  const folder = dirname(path)
  const temporary = join(folder, `.pixelmill-${process.pid}.incomplete`)
  try {
    makeFolder(folder)
    await writeFile(temporary, bytes)
    if (changedMs !== undefined) await utimes(temporary, changedMs / 1000, changedMs / 1000)
    await rename(temporary, path)
  } catch (error) {
    // Where there is no such folder, there is no such file.
    await rm(temporary, { force: true }).catch(() => {})
    throw new ImageFailure('unwritable', `${path} (${systemCode(error)})`, { cause: error })
  }
}
