import { spawn } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from '@pixelmill/codecs/installation'
import { runtimePackages } from '@pixelmill/vision/inference/session'
import { RunFailure, systemCode } from '../failure.ts'
import { makeFolder } from '../files/make-folder.ts'
import { runtimeFolder } from './installed-models.ts'

/** The package's manifest, and its lock file, by whose hashes npm checks what it fetches. */
const FILES = ['package.json', 'package-lock.json']

/**
 * Installs the runtime of models below the data folder, unless it is there, or part of this installation.
 * @param note is told before it is installed
 * @throws RunFailure
 */
export async function installRuntime(dataDir: string, note: (text: string) => void, signal: AbortSignal): Promise<void> {
  const folder = resolve(runtimeFolder(dataDir))
  if (runtimePackages(folder)) return
  note('Installing ONNX Runtime by npm: 290 MB, MIT licence.')
  const source = join(ROOT, 'onnx')
  const missing = FILES.find((name) => !existsSync(join(source, name)))
  if (missing !== undefined) throw new RunFailure(`This installation lacks ${join(source, missing)}: install Pixelmill again.`)
  makeFolder(folder)
  for (const name of FILES) copyFileSync(join(source, name), join(folder, name))
  await npm(['ci', '--prefix', folder, '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], signal)
  if (!runtimePackages(folder)) throw new RunFailure(`npm has not installed the runtime into ${folder}.`)
}

/** The package's own script would fetch libraries for graphics cards from a third place; those for processors are in the package. */
async function npm(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { promise, resolve: end, reject } = Promise.withResolvers<void>()
  // npm is a script on Windows, which only a shell starts.
  const child = spawn('npm', args, { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32', signal })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-8_000)
  })
  child.once('error', (error) => reject(signal.aborted ? signal.reason : npmMissing(error)))
  child.once('close', (code) =>
    code === 0 ? end() : reject(new RunFailure(`npm could not install the runtime: ${lastError(errors)}`)),
  )
  await promise
}

const npmMissing = (error: Error): RunFailure =>
  new RunFailure(
    `The runtime of models is installed by npm, which does not start here (${systemCode(error)}); in a container, build the image with --build-arg EXTRAS=onnx.`,
    { cause: error },
  )

/** The first line in which npm names what is wrong. */
function lastError(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  return lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'it says nothing.'
}
