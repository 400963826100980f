import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { type Actor, listAudit } from '../../accounts/audit.ts'
import { changeAccount } from '../../accounts/change-account.ts'
import { passwords } from '../../accounts/passwords.ts'
import { keyVault } from '../../ai/key-vault.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { KnownSources } from '../known-sources.ts'
import { holderOf, holderOfHeaders, renewSourceKeys } from '../place.ts'
import { type SourceRules, saveSource } from '../save-source.ts'
import { sourceSettings } from '../source.ts'

const [old, newer] = ['1', '2'].map((id) => ({ id, secret: `secret number ${id} of a test` })) as [never, never]
const rules: SourceRules = {
  outbound: { checkAddress: async () => {} },
  vault: keyVault([old]),
  folders: [],
  buckets: ['photos', 'media/public'],
}
const settings = (bucket: string, prefix = '', key: object = {}) =>
  sourceSettings.parse({ type: 'bucket', bucket, prefix, ...key })

onEachDatabase(({ kind, skip, database }) => {
  const account = async (email: string, role: 'admin' | 'user' = 'admin') => {
    const values = { email, password_hash: '-', role }
    return (await database().kysely.insertInto('account').values(values).returning('id').executeTakeFirstOrThrow()).id
  }

  test(`${kind}: buckets that the operator allows`, { skip }, async () => {
    const { kysely } = database()
    const id = await account('buckets@example.com')
    const save = (...place: Parameters<typeof settings>) => saveSource(kysely, rules, id, 'buckets', settings(...place))
    assert.equal((await save('photos'))?.length, 43)
    for (const [bucket, prefix] of [
      ['photos', 'x/y'],
      ['media', 'public'],
      ['media', 'public/deep/'],
    ] as const)
      assert.equal(await save(bucket, prefix), undefined)
    for (const [bucket, prefix] of [
      ['other', ''],
      ['media', ''],
      ['media', 'publicity'],
      ['media', 'private/public'],
    ] as const)
      await assert.rejects(save(bucket, prefix), (error) => isRefusal(error) && error.issues?.[0]?.path[0] === 'accessKeyId')
    const keyedValue = settings('other', '', { accessKeyId: 'a', secretAccessKey: 'b' })
    const withoutVault = saveSource(kysely, { ...rules, vault: undefined }, id, 'buckets', keyedValue)
    await assert.rejects(withoutVault, { code: 'ai_key_encryption_disabled' })
  })

  test(`${kind}: keys of buckets are encrypted again with the newest secret`, { skip }, async () => {
    const { kysely } = database()
    const id = await account('keys@example.com')
    await saveSource(
      kysely,
      rules,
      id,
      'keyed',
      settings('own', '', { accessKeyId: 'a', secretAccessKey: 'the secret'.replace(' ', '-') }),
    )
    const web = { type: 'web', baseUrl: 'https://example.com/', headers: { 'X-Key': 'open' } }
    await saveSource(kysely, rules, id, 'with-headers', sourceSettings.parse(web))
    const both = keyVault([newer, old])
    assert.deepEqual(await renewSourceKeys(kysely, both), { renewed: 2, unreadable: 0 })
    assert.deepEqual(await renewSourceKeys(kysely, both), { renewed: 0, unreadable: 0 })
    const { place } = await kysely.selectFrom('source').select('place').where('name', '=', 'keyed').executeTakeFirstOrThrow()
    const { encrypted } = (place as { key: { encrypted: string } }).key
    assert.equal(keyVault([newer]).decrypt(holderOf('keyed', { accessKeyId: 'a' }), encrypted), 'the-secret')
    const row = await kysely.selectFrom('source').select('place').where('name', '=', 'with-headers').executeTakeFirstOrThrow()
    const { headers } = row.place as { headers: { names: unknown; encrypted: string } }
    const holder = holderOfHeaders('with-headers', 'https://example.com/images/')
    assert.deepEqual([headers.names, keyVault([newer]).decrypt(holder, headers.encrypted)], [['x-key'], '{"x-key":"open"}'])
    assert.deepEqual(await renewSourceKeys(kysely, keyVault([old])), { renewed: 0, unreadable: 2 })
  })

  test(`${kind}: two accounts that save one name at once`, { skip }, async () => {
    const { kysely } = database()
    const ids = await Promise.all(['one', 'two'].map((name) => account(`${name}@example.com`)))
    const savedOutcomes = await Promise.allSettled(ids.map((id) => saveSource(kysely, rules, id, 'wanted', settings('photos'))))
    const refusedValues = savedOutcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    assert.deepEqual(refusedValues, ['name_taken'])
  })

  test(`${kind}: a source that is in use stays known, however many names are guessed`, { skip }, async (t) => {
    const { kysely } = database()
    await saveSource(kysely, rules, await account('used@example.com'), 'used', settings('photos'))
    const sources = new KnownSources(kysely, () => performance.now(), 4)
    t.after(() => sources.close())
    const usedSource = await sources.find('used')
    assert.equal(usedSource?.name, 'used')
    for (let n = 0; n < 12; n++) {
      assert.equal(await sources.find(`guess-${n}`), undefined)
      assert.equal(await sources.find('used'), usedSource)
    }
  })

  test(`${kind}: only what an administrator granted is delivered from the operator's buckets`, { skip }, async (t) => {
    const { kysely } = database()
    const id = await account('granted@example.com', 'user')
    const save = (bucket: string, prefix = '') => saveSource(kysely, rules, id, 'granted', settings(bucket, prefix))
    await assert.rejects(save('photos'), { code: 'invalid_params' })
    const administrator: Actor = { accountId: await account('granting@example.com'), requestId: 'req', address: '127.0.0.1' }
    const grantPlaces = (deliveryPlaces: readonly string[]) =>
      changeAccount(
        kysely,
        passwords(() => {}),
        administrator,
        id,
        { deliveryPlaces },
      )
    assert.deepEqual((await grantPlaces(['media/public', 'others'])).deliveryPlaces, ['media/public', 'others'])
    // A grant of what the operator does not offer gives nothing.
    for (const refusedText of ['photos', 'others', 'media']) await assert.rejects(save(refusedText), { code: 'invalid_params' })
    await save('media', 'public/2026')
    const sources = new KnownSources(kysely)
    t.after(() => sources.close())
    const before = await sources.find('granted')
    assert.deepEqual(before?.granted, ['media/public', 'others'])
    await grantPlaces([])
    sources.forgetAll()
    const after = await sources.find('granted')
    assert.deepEqual(after?.granted, [])
    assert.ok((after?.generation ?? 0) > (before?.generation ?? 0), 'what is cached is not delivered any more')
    const { data } = await listAudit(kysely, { account: id, limit: 10 })
    assert.deepEqual(
      data.map(({ action, details, actor }) => [action, details, actor?.email]),
      [
        ['delivery_places_changed', { from: ['media/public', 'others'], to: [] }, 'granting@example.com'],
        ['delivery_places_changed', { from: [], to: ['media/public', 'others'] }, 'granting@example.com'],
      ],
    )
  })
})
