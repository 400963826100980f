import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { openRemover, photograph, png, quick } from '../../../../test/support/external-remover.ts'
import { startFakeRemoveBg } from '../../../../test/support/fake-remove-bg.ts'
import { inProcess } from '../../../../test/support/in-process.ts'
import { AlreadyCutOut, RemoverUnavailable } from '../../remover.ts'

const picture = await photograph()
const never = new AbortController().signal

test('after five failures in a row the service is not asked for a while, then tried once, and used again when it works', async () => {
  await using fake = await startFakeRemoveBg('500')
  await using open = openRemover(inProcess, fake.url)
  const ask = () =>
    open.remover.remove([picture], png, never).then(
      () => 'cut out',
      (error: Error) => error.message,
    )
  assert.match(await ask(), /status 500/)
  // The fifth failure is the second try of the second picture.
  assert.match(await ask(), /not called for a while/)
  assert.equal(fake.requests.length, 5)
  assert.match(await ask(), /not called for a while/)
  assert.equal(fake.requests.length, 5)
  assert.deepEqual(
    open.reported.map((words) => /^removebg: failed 5 times in a row \(status 500/.test(words)),
    [true],
  )
  // One attempt after the pause, which fails, begins another pause.
  const asksAgain = async () => /not called for a while/.test(await ask()) && fake.requests.length === 6
  assert.ok(await until(asksAgain))
  fake.become('ok')
  assert.ok(await until(async () => (await ask()) === 'cut out'))
  assert.equal(await ask(), 'cut out')
  assert.equal(fake.requests.length, 8)
  assert.equal(open.reported.length, 1)
})

test('images that a service does not accept are no failures of the service', async () => {
  await using fake = await startFakeRemoveBg('unknown-foreground')
  await using open = openRemover(inProcess, fake.url)
  for (let times = 0; times < 7; times++) await assert.rejects(open.remover.remove([picture], png, never), /status 400/)
  assert.deepEqual([fake.requests.length, open.reported], [7, []])
})

test('a service that hangs is asked once for each image, and not asked for a while after five', async () => {
  await using fake = await startFakeRemoveBg('silent')
  await using open = openRemover(inProcess, fake.url, { BG_PROVIDER_TIMEOUT_S: '1' }, { ...quick, atOnce: 7 })
  const askedOuts = Array.from({ length: 6 }, () => open.remover.remove([picture], png, never))
  for (const { status } of await Promise.allSettled(askedOuts)) assert.equal(status, 'rejected')
  assert.equal(fake.requests.length, 6)
  await assert.rejects(open.remover.remove([picture], png, never), /not called for a while/)
  assert.equal(fake.requests.length, 6)
  await until(async () => fake.answering() === 0)
})

test('requests at once are limited, and one is kept for another account; some wait, and the others go to the next remover', async () => {
  await using fake = await startFakeRemoveBg('silent')
  await using open = openRemover(inProcess, fake.url, { BG_PROVIDER_TIMEOUT_S: '60' }, { ...quick, waiting: 8 })
  const leave = new AbortController()
  const ask = (account: string) => open.remover.remove([picture], { ...png, account }, leave.signal)
  // One is sent, and seven of the eight places are filled.
  const settledOutcomes = Promise.allSettled(Array.from({ length: 9 }, () => ask('one')))
  assert.ok(await until(async () => open.outcomes.length > 0 && fake.answering() === 1))
  const other = Promise.allSettled([ask('other')])
  assert.ok(await until(async () => fake.answering() === quick.atOnce))
  assert.deepEqual(open.outcomes, ['skipped'])
  leave.abort(new Error('left'))
  for (const { status } of [...(await settledOutcomes), ...(await other)]) assert.equal(status, 'rejected')
})

test('a caller that hangs up ends the request to the service at once, which is no failure of the service', async () => {
  await using fake = await startFakeRemoveBg('silent')
  await using open = openRemover(inProcess, fake.url)
  for (let times = 0; times < 6; times++) {
    const caller = new AbortController()
    const askedOut = open.remover.remove([picture], png, caller.signal)
    await until(async () => fake.answering() === 1)
    const reason = new Error('left')
    caller.abort(reason)
    await assert.rejects(askedOut, (error) => error === reason)
    await until(async () => fake.answering() === 0)
  }
  assert.deepEqual([open.outcomes, open.reported, fake.requests.length], [[], [], 6])
  fake.become('ok')
  assert.ok((await open.remover.remove([picture], png, never)).bytes)
})

test('a caller that hangs up between two attempts ends them', async () => {
  await using fake = await startFakeRemoveBg('429-soon')
  await using open = openRemover(inProcess, fake.url)
  const caller = new AbortController()
  const askedOut = open.remover.remove([picture], png, caller.signal)
  await until(async () => open.outcomes.length === 1)
  caller.abort(new Error('left'))
  await assert.rejects(askedOut, /left/)
  // The second attempt of another picture comes after the time at which the first would have been sent again.
  fake.become('429-soon')
  await open.remover.remove([picture], png, never)
  assert.equal(fake.requests.length, 3)
})

test('the service is not asked for images that are transparent already, for no images, and for those too large for its answer', async () => {
  await using fake = await startFakeRemoveBg()
  await using open = openRemover(inProcess, fake.url)
  const glass = await sharp(picture).ensureAlpha(0.5).png().toBuffer()
  await assert.rejects(open.remover.remove([glass], png, never), AlreadyCutOut)
  await assert.rejects(open.remover.remove([Buffer.from('no picture')], png, never), { code: 'invalid_image_type' })
  const long = await photograph(16_384, 10)
  await assert.rejects(open.remover.remove([long], { ...png, format: 'webp' }, never), { code: 'image_too_large' })
  assert.equal(fake.requests.length, 0)
})

test('without a connection the next remover is used', async () => {
  const fake = await startFakeRemoveBg()
  await fake[Symbol.asyncDispose]()
  await using open = openRemover(inProcess, fake.url)
  await assert.rejects(open.remover.remove([picture], png, never), RemoverUnavailable)
  assert.deepEqual(open.outcomes, ['failed', 'failed', 'failed'])
})
