import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readConfig } from '../src/config.ts'

const wrong: readonly (readonly [settings: Record<string, string>, message: RegExp])[] = [
  [{ PORT: 'abc' }, /PORT must be a whole number from 0 to 65535/],
  [{ PORT: '70000' }, /PORT/],
  [{ RENDERERS: '0' }, /RENDERERS/],
  [{ BURST_PER_MINUTE: '-1' }, /BURST_PER_MINUTE/],
  [{ ADMIN_API_KEY: 'sk_short' }, /ADMIN_API_KEY must be sk_/],
  [{ ADMIN_EMAIL: 'nobody' }, /ADMIN_EMAIL/],
  [{ ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD must have 8 to 256 characters/],
  [{ SIGN_UP: 'maybe' }, /SIGN_UP must be one of open, closed/],
  [{ TRUSTED_PROXIES: 'everybody' }, /TRUSTED_PROXIES must be addresses/],
  [{ TRUSTED_PROXIES: 'loopback, 10.0.0.0/33' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /TRUSTED_PROXIES/],
  [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
  [{ ROLE: 'boss' }, /ROLE must be one of all, api, worker/],
  [{ ROLE: 'worker' }, /ROLE=worker needs DATABASE_URL/],
  [{ BATCH_ARCHIVE_MB: '0' }, /BATCH_ARCHIVE_MB/],
  [{ EGRESS_ALLOW: 'localhost,10.0.0.0/33' }, /EGRESS_ALLOW must be names, IP addresses and networks; entry 2 is none/],
]
for (const [settings, message] of wrong) {
  test(`${JSON.stringify(settings)} is refused, naming the setting in one line`, () => {
    assert.throws(
      () => readConfig(settings),
      (error) => error instanceof StartError && message.test(error.message) && !error.message.includes('\n'),
    )
  })
}
