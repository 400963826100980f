import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { ownStore } from '../own-store.ts'

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
