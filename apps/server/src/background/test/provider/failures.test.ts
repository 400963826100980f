import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { until } from '@pixelmill/engine/test/support/until'
import { openRemover, photograph, png } from '../../../../test/support/external-remover.ts'
import { type HabitName, KEY, startFakeRemoveBg, UPSTREAM_WORDS } from '../../../../test/support/fake-remove-bg.ts'
import { inProcess } from '../../../../test/support/in-process.ts'
import { RemoverUnavailable } from '../../remover.ts'

const picture = await photograph()
const never = new AbortController().signal

/** What a service does, how each request to it ends, and what the error says. */
const failures: readonly (readonly [habit: HabitName, outcomes: readonly string[], words: RegExp])[] = [
  ['unknown-foreground', ['refused'], /status 400: it does not take the picture/],
  ['413', ['refused'], /status 413/],
  ['401', ['misconfigured'], /status 401: BG_PROVIDER_KEY is not accepted/],
  ['402', ['misconfigured'], /status 402: no credits are left/],
  ['403', ['misconfigured'], /status 403: BG_PROVIDER_KEY is not accepted/],
  ['404', ['misconfigured'], /status 404: BG_PROVIDER_URL is no address that cuts out/],
  ['redirect', ['misconfigured'], /status 302: it redirects/],
  ['429', ['throttled', 'throttled', 'throttled'], /status 429/],
  ['429-later', ['throttled'], /status 429/],
  ['500', ['failed', 'failed', 'failed'], /status 500/],
  ['503', ['failed', 'failed', 'failed'], /status 503/],
  ['hangs-up', ['failed', 'failed', 'failed'], /connection/],
  ['hangs-up-amid', ['failed', 'failed', 'failed'], /connection/],
  ['json', ['invalid'], /without a picture media type/],
  ['html', ['invalid'], /without a picture media type/],
  ['no-type', ['invalid'], /without a picture media type/],
  ['empty', ['invalid'], /without a picture/],
  ['204', ['invalid'], /status 204/],
  ['huge', ['invalid'], /more than \d+ bytes/],
  ['huge-by-its-length', ['invalid'], /too large/],
  ['bomb', ['invalid'], /more than \d+ bytes/],
  ['drip', ['timeout'], /no answer in time/],
  ['silent', ['timeout'], /no answer in time/],
  ['html-as-png', ['ok', 'unusable'], /unreadable/],
  ['svg', ['ok', 'unusable'], /unreadable/],
  ['truncated', ['ok', 'unusable'], /unreadable/],
  ['other-shape', ['ok', 'unusable'], /other-shape/],
  ['no-alpha', ['ok', 'unusable'], /no-alpha/],
  ['opaque', ['ok', 'unusable'], /all-opaque/],
  ['transparent', ['ok', 'unusable'], /all-transparent/],
]
const shortly: Partial<Record<HabitName, Readonly<Record<string, string>>>> = {
  drip: { BG_PROVIDER_TIMEOUT_S: '1' },
  silent: { BG_PROVIDER_TIMEOUT_S: '1' },
}
for (const [habit, outcomes, words] of failures)
  test(`a service that answers ${habit} leaves the image to the next remover`, async () => {
    await using fake = await startFakeRemoveBg(habit)
    await using open = openRemover(inProcess, fake.url, shortly[habit])
    const error = await open.remover.remove([picture], png, never).catch((thrownValue: unknown) => thrownValue)
    assert.ok(error instanceof RemoverUnavailable, inspect(error))
    assert.match(error.message, words)
    assert.match(error.message, /^removebg/)
    assert.deepEqual(open.outcomes, outcomes)
    assert.equal(fake.requests.length, outcomes.filter((outcome) => outcome !== 'unusable').length)
    const saidText = inspect([error, open.reported], { depth: 9, showHidden: true })
    for (const secret of [KEY, UPSTREAM_WORDS, '169.254']) assert.ok(!saidText.includes(secret), saidText)
  })

// At the same time, since most of each is a wait.
describe('a service that is misconfigured', { concurrency: true }, () => {
  for (const habit of ['401', '402', '403', '404', 'redirect'] as const)
    test(`the answer ${habit} is reported once, and the service is not asked for a while`, async () => {
      await using fake = await startFakeRemoveBg(habit)
      await using open = openRemover(inProcess, fake.url)
      const ask = () => open.remover.remove([picture], png, never).catch((error: Error) => error.message)
      await ask()
      assert.match(String(await ask()), /not called for a while/)
      assert.deepEqual([fake.requests.length, open.reported.length], [1, 1])
      assert.match(open.reported[0] ?? '', /^removebg: status/)
      const asksAgain = async () => {
        await ask()
        return fake.requests.length === 2
      }
      assert.ok(await until(asksAgain))
      assert.equal(open.reported.length, 1)
      fake.become('ok')
      assert.ok(await until(async () => typeof (await ask()) === 'object'))
      assert.equal(fake.requests.length, 3)
    })
})

const passing: readonly (readonly [habit: HabitName, outcomes: readonly string[]])[] = [
  ['500-once', ['failed', 'ok']],
  ['hangs-up-once', ['failed', 'ok']],
  ['429-soon', ['throttled', 'ok']],
]
for (const [habit, outcomes] of passing)
  test(`a service that answers ${habit} is asked again`, async () => {
    await using fake = await startFakeRemoveBg(habit)
    await using open = openRemover(inProcess, fake.url)
    const began = performance.now()
    const { bytes } = await open.remover.remove([picture], png, never)
    assert.ok(bytes)
    assert.deepEqual([open.outcomes, open.reported], [outcomes, []])
    // Retry-After is heeded to the second.
    if (habit === '429-soon') assert.ok(performance.now() - began >= 1_000)
  })

test('a service whose Retry-After is longer than the time limit is not asked again', async () => {
  await using fake = await startFakeRemoveBg('429-later')
  await using open = openRemover(inProcess, fake.url)
  for (let times = 0; times < 3; times++) await assert.rejects(open.remover.remove([picture], png, never), RemoverUnavailable)
  assert.deepEqual([fake.requests.length, open.outcomes], [1, ['throttled', 'skipped', 'skipped']])
})
