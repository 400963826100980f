import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** SHA-256 of each migration that somebody's database may have run: what is changed in one would never reach that database. */
const released = [
  ['0001_accounts', 'c3b7c48ce05add234874b10e594d59997dad455acb898e65127932d3c023d16e'],
  ['0002_metering', '452cb184ec260b2eb8903df8793f4aa660c76f4e13e0b90d4af31a6455246bb6'],
  ['0003_admit', '6ff21b85775ba83906ce3a4c4d6317297d9e71bc74bdbedfba26c1b5ea6b57b3'],
  ['0004_reservations', 'cfe04a3c72d034976af4280a5d463a5d42d4460dab8618de676288666a84e248'],
  ['0005_identity', '63f16242fcd186227ca46578958a81277ab4ea90fd84ba37d8415787f6f830ac'],
  ['0006_audit', 'ecd710d7e334b0c416a9f1055bbe2363dc6f24258b4270e8faade5136b33b02c'],
  ['0007_purchases', '066875fb5127285b7a56c37e2c6d2ad6a855e6a5de7ec4567ec254370d604775'],
  ['0008_idempotency', '17c85a99670c795ab71872989a9449bd1bf4963c8085610d9e1e162f365c410e'],
  ['0009_usage', 'e2f93cec976dd2aea612a95ce4f0e5f5cd5132cd0d86da740b556db38bad79f8'],
  ['0010_admission', '22d48d2fa0c243940429c8ca7931c3b1ebeb49e168fecf105f08afbdedaefd1b'],
  ['0011_batches', '3cb3be4e9c2a8907dba1149f24b5dc50bbd5a6b8226e52a75f35415810fe925a'],
  ['0012_webhooks', 'cb491708eee93d6b4fcab0b38d5aa2e250227a403b863f0ad029e0e001bb58d4'],
  ['0013_limits', 'a46e53b7e5ab132f92a6fa6f77fbcacfd095c75ea7534761052915867ad35733'],
  ['0014_installation', '4c9d3b7d43c387062ddd60de8c07fd14f48166ab5f66f0ffc8946f6a52a1c147'],
  ['0015_ai', '4379c74dfa0d4cb117738f8e15e9d97b4db4456b937f21b2f0d9dec6befe37c0'],
  ['0016_ai_keys', '5e902054fd33f8f5e2ce201a2e065dfc06a83859377a568b03eb8bbb84121f08'],
  ['0017_background', '8ad67e8867d7550a9ff9c245efb22bdffdd4b36eee5effd13e5a8d4fe49b2228'],
  ['0018_signed_in_calls', '58be327b2c4c161a6aa5e8cb486a539cda3760fd9d4e6de36c68603baf8b4d08'],
  ['0019_sessions', '615ab23109037ce74aa7f399c222a8bc3eea9cbdc755153456d6d1ab52d446a2'],
  ['0020_usage_lists', '50a1cd2d384394c170513380b77b7d39fdcd98c37e714e7932bec210d53ae474'],
] as const

for (const [name, sha256] of released) {
  test(`${name} is what was released`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../migrations', `${name}.sql`))
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256)
  })
}
