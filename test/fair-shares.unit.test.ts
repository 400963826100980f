import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { limits } from '@pixelmill/codecs/contract/limits'
import { allButOne, type FairQueue, fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import { Pool } from 'pg'
import { passwords } from 'pixelmill-server/accounts/passwords'
import { usualLimits } from 'pixelmill-server/background/guards'
import { watchBatches } from 'pixelmill-server/batch/batch-events'
import { openDownloads } from 'pixelmill-server/batch/result-archive'
import { accountLimit } from 'pixelmill-server/concurrency/account-limit'
import { turns } from 'pixelmill-server/delivery/turns'

/** Each row of the table of docs/security.md: what one account can take, and that another still gets its share. */

const root = join(import.meta.dirname, '..')
const never = new AbortController().signal
const QUEUE = 64

/** Tasks of one account fill what it may have; says how many run and wait, and whether another account's task runs or waits. */
async function fill(queue: Pick<FairQueue, 'run'>, tasks: number) {
  let running = 0
  let refusals = 0
  let isOtherBegun = false
  const { promise: end, resolve: endAll } = Promise.withResolvers<void>()
  const own = Array.from({ length: tasks }, () =>
    queue
      .run('one', never, () => {
        running++
        return end
      })
      .catch(() => refusals++),
  )
  await settled()
  const most = running
  const other = queue.run('other', never, async () => {
    isOtherBegun = true
  })
  await settled()
  const state = { running: most, waiting: tasks - most - refusals, refused: refusals, isOtherBegun }
  endAll()
  await Promise.all([...own, other])
  return state
}
/** Checks that limits refuse what is too much. */
function takes({ most, ofOneAccount }: { readonly most: number; readonly ofOneAccount: number }): void {
  const limit = accountLimit({ most, ofOneAccount }, 'things')
  const places = Array.from({ length: ofOneAccount }, () => limit.enter('one'))
  assert.throws(() => limit.enter('one'), { code: 'rate_limited' })
  for (let n = ofOneAccount; n < most; n++) places.push(limit.enter(`account ${n}`))
  assert.throws(() => limit.enter('other'), { code: 'server_busy' })
  for (const place of places) place[Symbol.dispose]()
  limit.enter('other')
}
const sevenEighths = (places: number) => Math.floor((places * 7) / 8)

type Row = (() => void | Promise<void>) | { readonly file: string; readonly test: string }

const rows: Readonly<Record<string, Row>> = {
  'Images that wait for a renderer (RENDER_QUEUE)': {
    file: 'rendering/queue-capacity.unit.test.ts',
    test: 'an account that fills its share is refused while there are places for others',
  },
  'Renderers for short and long work': {
    file: 'rendering/shares.unit.test.ts',
    test: 'an account with one image is next, however many another has sent before',
  },
  'Images that wait for an operator’s model (8)': {
    file: 'rendering/short-work.unit.test.ts',
    test: 'and leaves some where there are several',
  },
  'Memory of uploads (UPLOAD_MEMORY_MB)': {
    file: 'rendering/held-uploads.unit.test.ts',
    test: 'an account has seven eighths at most, and is given up before others',
  },
  'Originals that are read and rendered for delivery (4 × RENDERERS, at least 16)': async () => {
    const { running, isOtherBegun } = await fill(turns({ atOnce: 16, mostWaiting: 2_000 }), 100)
    assert.deepEqual({ running, isOtherBegun }, { running: 8, isOtherBegun: true })
  },
  'Misses of delivery that wait (2,000)': async () => {
    const { waiting, isOtherBegun } = await fill(turns({ atOnce: 16, mostWaiting: 2_000 }), 2_100)
    assert.deepEqual({ waiting, isOtherBegun }, { waiting: sevenEighths(2_000), isOtherBegun: true })
  },
  'Images that wait for a background removal (RENDER_QUEUE)': async () => {
    const { waiting, isOtherBegun } = await fill(fairQueue(4, { mostWaiting: QUEUE }), 2 * QUEUE)
    assert.deepEqual({ waiting, isOtherBegun }, { waiting: sevenEighths(QUEUE), isOtherBegun: true })
  },
  'Background removals and enhancements at once (2 × RENDERERS)': async () => {
    const { running, isOtherBegun } = await fill(fairQueue(4), 20)
    assert.deepEqual({ running, isOtherBegun }, { running: 2, isOtherBegun: true })
  },
  'Requests to a background-removal service (4 at once, 16 wait)': async () => {
    const { atOnce, waiting: mostWaiting } = usualLimits
    const { running, waiting, isOtherBegun } = await fill(fairQueue(atOnce, { mostOf: allButOne(atOnce), mostWaiting }), 40)
    assert.deepEqual({ running, waiting, isOtherBegun }, { running: 3, waiting: 14, isOtherBegun: true })
  },
  'AI requests in progress (32)': () => takes(limits.ai.requestsAtOnce),
  'Questions to a model at once (AI_CONCURRENCY)': async () => {
    const { running, isOtherBegun } = await fill(fairQueue(16), 20)
    assert.deepEqual({ running, isOtherBegun }, { running: 8, isOtherBegun: true })
  },
  'Archive uploads in progress (64)': () => takes(limits.storedUploads),
  'Previews at once (32)': () => takes(limits.preview.atOnce),
  'Unpacked images of ZIPs sent to info (4)': async () => {
    const { running, isOtherBegun } = await fill(fairQueue(4), 100)
    assert.deepEqual({ running, isOtherBegun }, { running: 2, isOtherBegun: true })
  },
  'Results that get a manifest (one at a time)': async () => {
    const order: string[] = []
    const queue = fairQueue(1)
    const sign = (account: string) => queue.run(account, never, async () => void order.push(account))
    await Promise.all([...Array.from({ length: 9 }, () => sign('one')), sign('other')])
    assert.ok(order.indexOf('other') <= 2, order.join())
  },
  'Requests of signed-in users in progress (1,024), and with them the connections to the database': () =>
    takes(limits.signedInRequests),
  'Passwords that wait to be checked (256), by network': async () => {
    const { hash } = passwords(() => {})
    const of = (address: string) =>
      hash('correct horse', address).then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
    const all = Array.from({ length: 240 }, () => of('192.0.2.1'))
    assert.equal(await of('192.0.2.2'), 'done')
    assert.deepEqual(await Promise.all(all.slice(2 + sevenEighths(256))), Array(14).fill('server_busy'))
  },
  'Followers of batches': () => {
    const { follow } = watchBatches(new Pool(), () => {})
    const follows = Array.from({ length: 21 }, () => follow({ id: 'batch', accountId: 'one' }, () => {}))
    assert.deepEqual([follows.filter(Boolean).length, !!follow({ id: 'batch', accountId: 'other' }, () => {})], [20, true])
  },
  'Downloads of results': () => {
    const { begin } = openDownloads()
    const starts = Array.from({ length: 21 }, () => begin('one'))
    assert.deepEqual([starts.filter(Boolean).length, !!begin('other')], [20, true])
  },
  'Batches that are not finished, and the bytes of their archives': {
    file: 'batch/test/create.test.ts',
    test: 'an account gets as many as are allowed, and other accounts get theirs',
  },
  'Images of batches in work': {
    file: 'batch/test/fairness.test.ts',
    test: 'every account has the same share, however many batches it has',
  },
  'Uploads that are kept': { file: 'uploads/test/two-servers.test.ts', test: 'an account may keep so many uploads' },
  'Webhook attempts at once (16)': {
    file: 'webhooks/test/dispatch-hangs.slow.test.ts',
    test: 'receivers that hang occupy two places of their account, and do not delay other accounts',
  },
  'Calls in a minute': { file: 'metering/test/admission.test.ts', test: 'at most 30 in any 60 seconds' },
  'Results of delivery in memory and in the store': {
    file: 'delivery/test/evict.test.ts',
    test: 'what was used longest ago goes first, to a tenth below the limit',
  },
  'URLs, errors, accounts and names of sources that delivery remembers': {
    file: 'delivery/test/save-source.test.ts',
    test: 'a source that is in use stays known, however many names are guessed',
  },
  'Statistics that wait for the database (10,000)': {
    file: 'metering/test/usage-log.test.ts',
    test: 'while the database does not take them they wait, the oldest are dropped and counted',
  },
  'Connections without a request in flight (IDLE_CONNECTIONS_PER_ADDRESS), by network': {
    file: 'http/test/connection-limits.test.ts',
    test: 'of the idle connections of an address the oldest are closed beyond the limit',
  },
}

for (const [thing, row] of Object.entries(rows))
  test(`shared: ${thing}`, async () => {
    if (typeof row === 'function') return await row()
    const [path = assert.fail(row.file)] = globSync([`packages/*/test/${row.file}`, `apps/server/src/${row.file}`], { cwd: root })
    assert.ok(readFileSync(join(root, path), 'utf8').includes(row.test), `${row.file} has no such test`)
  })

test('docs/security.md has these rows', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/security.md'), 'utf8').split('## What accounts share')
  const [table = ''] = section.split('\n## ')
  const things = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, thing = '']) => thing.replaceAll('`', '').replace("'", '’'))
  assert.deepEqual(things.slice(1), Object.keys(rows))
})
