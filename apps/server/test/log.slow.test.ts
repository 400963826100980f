import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const LOG = JSON.stringify(join(import.meta.dirname, '../src/log.ts'))
const program = `
  const { openLog } = await import(${LOG})
  const log = openLog('info')
  for (let line = 0; line < 300_000; line++) log.info({ filling: 'x'.repeat(1000) }, 'a line')
  console.log('this does not fit either')
  await new Promise((resolve) => setTimeout(resolve, 100))
  log.info('the last')
  console.error(Math.round(process.memoryUsage.rss() / 2 ** 20))
`

test('a log on a full disk does not end the process, nor does it pile up in memory', {
  skip: !existsSync('/dev/full') && 'needs /dev/full',
}, () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  closeSync(full)
  assert.equal(status, 0, stderr)
  assert.ok(Number(stderr) < 250, `${stderr} MiB for 300 MB of lines`)
})
