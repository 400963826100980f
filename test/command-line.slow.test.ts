import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command } from './backup/command.ts'

for (const [script, usage] of [
  ['move', /^Usage: npm run move/],
  ['reset-password', /^Usage: npm run reset-password -- EMAIL/],
] as const) {
  test(`${script} --help prints its usage, whatever the settings are`, async () => {
    const { code, output } = await command(script, ['--help'], { PORT: 'none', DATABASE_URL: 'none' })
    assert.equal(code, 0)
    assert.match(output, usage)
  })
}
