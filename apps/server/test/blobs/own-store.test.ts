import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { ownStore } from '../../src/blobs/own-store.ts'
import { TARGETS } from './targets.ts'

for (const { name, skip, start } of TARGETS) {
  test(`a ${name} belongs to the first database that used it, and refuses another`, { skip }, async (t) => {
    const { store } = await start(t)
    await ownStore(store, 'one')
    await ownStore(store, 'one')
    await assert.rejects(
      ownStore(store, 'other'),
      (error) => error instanceof StartError && /another database/.test(error.message),
    )
  })
}
