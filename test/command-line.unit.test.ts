import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine } from '../src/command-line.ts'
import { VERSION } from '../src/version.ts'

const USAGE = /Usage: node bin\/pixelmill\.mjs \[health\] \[--help \| --version\]/

for (const args of [['--help'], ['-h'], ['health', '--help']])
  test(`${args.join(' ')} prints the usage and runs nothing`, () => {
    const asked = readCommandLine(args)
    assert.ok('print' in asked)
    assert.match(asked.print, USAGE)
  })

for (const argument of ['--version', '-v'])
  test(`${argument} prints the release`, () => assert.deepEqual(readCommandLine([argument]), { print: VERSION }))

for (const args of [['--hepl'], ['-x'], ['start'], ['health', '--x'], ['health', 'twice'], ['--', '--help']])
  test(`${args.join(' ')} is refused with the usage`, () => {
    const asked = readCommandLine(args)
    assert.ok('fault' in asked)
    assert.match(asked.fault, USAGE)
    assert.ok(asked.fault.includes(args.at(-1) ?? ''), asked.fault)
  })

test('without an argument the server runs, and with health the question whether it is ready', () => {
  assert.deepEqual(readCommandLine([]), { run: 'server' })
  assert.deepEqual(readCommandLine(['health']), { run: 'health' })
})
