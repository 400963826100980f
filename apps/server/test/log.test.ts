import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const LOG = JSON.stringify(join(import.meta.dirname, '../src/log.ts'))
const program = `
  const { openLog } = await import(${LOG})
  const log = openLog('info')
  for (let line = 0; line < 2; line++) log.info({ filling: 'x'.repeat(1000) }, 'a line')
  console.log('a line of the console')
  log.info('the last')
`

test('each line is one JSON object with its level and its time', () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const { level, time, msg } = JSON.parse(lines[0] ?? '')
  assert.deepEqual([level, msg, lines.length], ['info', 'a line', 3])
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000)
})
