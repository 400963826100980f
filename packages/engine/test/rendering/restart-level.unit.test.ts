import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RestartReason, restartLevel } from '../../src/rendering/worker.ts'

const levels: Readonly<Record<RestartReason, 'debug' | 'warn'>> = {
  abandoned: 'debug',
  grown: 'debug',
  aged: 'debug',
  memory: 'warn',
  cpu: 'warn',
  killed: 'warn',
  crash: 'warn',
  start: 'warn',
  timeout: 'warn',
}

test('a renderer that is replaced is a warning only where something is wrong', () => {
  for (const [reason, level] of Object.entries(levels)) assert.equal(restartLevel(reason as RestartReason), level, reason)
})
