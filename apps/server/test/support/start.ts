import assert from 'node:assert/strict'
import { run } from './server.ts'

/** Starts the program with settings that it cannot start with: it says why in one line, without a stack or a secret. */
export async function refusedStart(settings: Readonly<Record<string, string>>, message: RegExp): Promise<void> {
  const { exited, output } = run({ LOG_LEVEL: 'silent', ...settings })
  assert.equal((await exited).code, 1)
  const lines = output()
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('Pixelmill cannot start: '))
  assert.equal(lines.length, 1, output())
  assert.match(lines[0] ?? '', message)
  assert.doesNotMatch(output(), /secret|\n\s+at /)
}
