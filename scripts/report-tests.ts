import { appendFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter of node:test that is silent until the run ends, and then lists the files that took longest, and the longest tests:
 * the time that a suite takes is shortened where it is spent. Where FAILED_FILES is set, it adds the path of each file with a failure to
 * that file, a line each.
 */
const MOST_LISTED = 40

interface Duration {
  readonly name: string
  readonly ms: number
}

// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a module as a reporter.
export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tests: Duration[] = []
  const files = new Map<string, number>()
  const failedFiles = new Set<string>()
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, nesting, file = '', details } = event.data
    if (event.type === 'test:fail' && !failedFiles.has(file)) {
      failedFiles.add(file)
      noteFailure(file)
    }
    if (details.type === 'suite') continue
    const path = file.slice(file.indexOf('/test/') + 1)
    tests.push({ name: `${path}: ${name}`, ms: details.duration_ms })
    if (nesting === 0) files.set(path, (files.get(path) ?? 0) + details.duration_ms)
  }
  yield listOf(
    'files',
    [...files].map(([name, ms]) => ({ name, ms })),
  )
  yield listOf('tests', tests)
}

/** The report is written at once: `--test-force-exit` does not wait for the streams of reporters. */
function noteFailure(file: string): void {
  const { FAILED_FILES: target } = process.env
  if (target !== undefined) appendFileSync(target, `${file}\n`)
}

function listOf(what: string, durations: readonly Duration[]): string {
  const longest = durations.toSorted((one, other) => other.ms - one.ms).slice(0, MOST_LISTED)
  const lines = longest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
  return `The ${what} that took longest:\n${lines.join('\n')}\n`
}
