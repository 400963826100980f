import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter of node:test that is silent until the run ends, and then lists the files that took longest, and the longest tests:
 * the time that a suite takes is shortened where it is spent.
 */
const MOST_LISTED = 40

interface Duration {
  readonly name: string
  readonly ms: number
}

// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a module as a reporter.
export default async function* slowestTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tests: Duration[] = []
  const files = new Map<string, number>()
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, nesting, file = '', details } = event.data
    if (details.type === 'suite') continue
    const path = file.slice(file.indexOf('/test/') + 1)
    tests.push({ name: `${path}: ${name}`, ms: details.duration_ms })
    if (nesting === 0) files.set(path, (files.get(path) ?? 0) + details.duration_ms)
  }
  yield listed(
    'files',
    [...files].map(([name, ms]) => ({ name, ms })),
  )
  yield listed('tests', tests)
}

function listed(what: string, durations: readonly Duration[]): string {
  const longest = durations.toSorted((one, other) => other.ms - one.ms).slice(0, MOST_LISTED)
  const lines = longest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
  return `The ${what} that took longest:\n${lines.join('\n')}\n`
}
