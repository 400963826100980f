#!/usr/bin/env -S node --initial-old-space-size=64 --min-semi-space-size=16
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'

// Plain JavaScript, so that a Node too old for the rest can still start the one that npm installed.
// The first that is known to have Uint8Array.prototype.setFromBase64.
const OLDEST = 26

/** The Node among the installed packages: beside this file in a checkout, further up where npm installed Pixelmill as a package. */
function installedNode(folder = import.meta.dirname) {
  const path = join(folder, 'node_modules/.bin/node')
  if (existsSync(path)) return path
  return folder === dirname(folder) ? undefined : installedNode(dirname(folder))
}

/**
 * As in the first line and in package.json. The young generation, in MB, grows to that size during a start anyway, with twice
 * the time in collections.
 */
const HEAP = ['--initial-old-space-size=64', '--min-semi-space-size=16']

/** Runs this program on another Node; signals and the exit code are passed on. */
function runOn(node) {
  const child = spawn(node, [...HEAP, import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

async function run() {
  // What was stripped of its types and compiled once is only read: 0.45 s of processor time and 18 MB less. A folder that
  // may not be written does no harm: then it is done anew at each start.
  module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/pixelmill/server'))
  // In a checkout the sources, which Node strips of their types; in the npm package what was made of them.
  const sources = join(import.meta.dirname, '../src/cli/program.ts')
  const { runProgram } = await import(existsSync(sources) ? sources : '../dist/src/cli/program.js')
  await runProgram(process.argv.slice(2))
}

const node = installedNode()
if (Number.parseInt(process.versions.node, 10) >= OLDEST) await run()
else if (node && realpathSync(node) !== realpathSync(process.execPath)) runOn(node)
else {
  console.error(
    `Pixelmill needs Node ${OLDEST} or newer; this is ${process.versions.node}. Installing with npm brings one for Linux (glibc), macOS and Windows on x64 and arm64.`,
  )
  process.exitCode = 1
}
