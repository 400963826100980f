import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRESENCE_LOCK } from '../../src/metering/presence.ts'
import { voidStaleReservations } from '../../src/metering/reservations.ts'
import { grant, makeAccount } from '../support/accounts.ts'
import { admitCall } from '../support/batches.ts'
import { booksOf } from '../support/books.ts'
import { onEachDatabase } from '../support/databases.ts'

/** No server has it. */
const GONE = 1_000_001

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: calls of a server that is gone are given back while a worker looks whether it is`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'free')
    await grant(database(), id, 5)
    await admitCall(database(), key, GONE)
    const worker = await database().connect()
    await worker.query('begin')
    // As claim_batch_items() does.
    await worker.query('select pg_try_advisory_xact_lock_shared($1, $2)', [PRESENCE_LOCK, GONE])
    assert.equal(await voidStaleReservations(database().pool), 1)
    const { reserved, open } = await booksOf(database(), id)
    assert.deepEqual([reserved, open], [0, 0])
    await worker.end()
  })

  test(`${kind}: calls of a server that is there stay reserved`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'free')
    await grant(database(), id, 5)
    await admitCall(database(), key, GONE)
    const server = await database().connect()
    await server.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCK, GONE])
    assert.equal(await voidStaleReservations(database().pool), 0)
    assert.equal((await booksOf(database(), id)).open, 1)
    await server.end()
  })
})
