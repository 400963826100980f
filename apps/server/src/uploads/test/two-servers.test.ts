import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { whenItIs } from '../../../test/support/stopped-clock.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import type { Database } from '../../database/database.ts'
import { registerInstance } from '../../metering/instance.ts'
import { type Handles, openHandles } from '../handles.ts'
import { createUpload } from '../record-upload.ts'
import { removeExpired, sweepUploads } from '../remove-uploads.ts'
import { findAny, newPartKey } from '../upload.ts'

const LIMITS = { mostBytes: 2 ** 20, ofAccount: { uploads: 3, bytes: 2 ** 21 } }

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: a request at another server ends the one that still sends, and keeps its bytes`, { skip }, async (t) => {
    const blobs = await openFolder({ root: await tempFolder(t), reserveBytes: 0 })
    const stores = { database: database(), blobs }
    const [one, other] = await Promise.all([1, 2].map(() => registerInstance(database(), assert.ifError)))
    assert.ok(one && other)
    const here = openHandles(stores, LIMITS, one)
    const there = openHandles(stores, LIMITS, other)
    const { id: account } = await makeAccount(database(), 'team')
    const { handle } = await here.create(account, { contentType: 'application/zip', length: 1_000 })
    const { signal } = new AbortController()
    const slow = new PassThrough()
    slow.write(Buffer.alloc(600, 'a'))
    const startedCall = Promise.withResolvers<void>()
    const sending = here.append(account, handle, {
      offset: 0,
      stream: slow,
      signal,
      completes: true,
      onStart: startedCall.resolve,
    })
    const endedValue = assert.rejects(sending, { code: 'upload_in_use' })
    await startedCall.promise
    const rest = () => Readable.from([Buffer.alloc(400, 'b')])
    await assert.rejects(there.append(account, handle, { offset: 0, stream: rest(), signal, completes: true }), {
      code: 'upload_in_use',
    })
    assert.equal((await there.progress(account, handle)).stored, 600)
    await endedValue
    const doneValue = await there.append(account, handle, { offset: 600, stream: rest(), signal, completes: true })
    assert.ok(doneValue.completed_at)
    assert.equal((await here.read(account, handle)).toString(), 'a'.repeat(600) + 'b'.repeat(400))
    const file = await here.open(account, handle)
    assert.equal((await file.read(598, 4)).toString(), 'aabb')

    // Files that no row names, as of a server that died between the two.
    await blobs.put(newPartKey(doneValue.id, 1_000), Readable.from([Buffer.from('lost')]), { contentType: 'application/zip' })
    assert.equal(await sweepUploads(stores), 0)
    assert.equal(await sweepUploads(stores, -1_000), 1)
    assert.equal((await here.read(account, handle)).length, 1_000)
    await Promise.all([one.close(), other.close()])
  })

  test(`${kind}: an account may keep so many uploads`, { skip }, async (t) => {
    const blobs = await openFolder({ root: await tempFolder(t), reserveBytes: 0 })
    const alone = { tryLock: async () => true, unlock: async () => {} }
    const handles = openHandles({ database: database(), blobs }, LIMITS, alone)
    const { id: account } = await makeAccount(database(), 'team')
    const save = () => handles.save(account, Buffer.from('x'), { contentType: 'image/png', name: 'a.png' })
    const keptOutcomes = await Promise.allSettled([save(), save(), save(), save(), save()])
    assert.equal(keptOutcomes.filter(({ status }) => status === 'fulfilled').length, 3)
    for (const one of keptOutcomes) if (one.status === 'rejected') assert.equal(one.reason.code, 'too_many_uploads')
  })

  test(`${kind}: an upload is there to the millisecond before its end`, { skip }, async (t) => {
    const blobs = await openFolder({ root: await tempFolder(t), reserveBytes: 0 })
    const alone = { tryLock: async () => true, unlock: async () => {} }
    const { id: account } = await makeAccount(database(), 'team')
    const save = (handles: Handles) => handles.save(account, Buffer.from('x'), { contentType: 'image/png', name: 'a.png' })
    const { handle } = await save(openHandles({ database: database(), blobs }, LIMITS, alone))
    // To whole milliseconds, as JavaScript has them; the uploads of other tests stay.
    const end = new Date(Date.now() + 60_000)
    await database().pool.query('update upload set expires_at = $1 where handle = $2', [end, handle])
    const at = <Result>(ms: number, work: (kysely: Database['kysely']) => Promise<Result>) =>
      whenItIs(database(), new Date(end.getTime() + ms), ({ kysely }) => work(kysely))
    const find = (kysely: Database['kysely']) => findAny(kysely, account, handle)
    assert.equal((await at(-1, find)).handle, handle)
    await assert.rejects(at(0, find), { code: 'upload_not_found' })
    // It counts in the account's share as long.
    const one = { ...LIMITS, ofAccount: { ...LIMITS.ofAccount, uploads: 1 } }
    const another = (kysely: Database['kysely']) => createUpload(kysely, one, account, { contentType: 'image/png', length: 1 })
    await assert.rejects(at(-1, another), { code: 'too_many_uploads' })
    const removeThrough = (kysely: Database['kysely']) => removeExpired({ database: { ...database(), kysely }, blobs })
    assert.equal(await at(-1, removeThrough), 0)
    assert.equal((await at(0, another)).stored, 0)
    assert.equal(await at(0, removeThrough), 1)
  })
})
