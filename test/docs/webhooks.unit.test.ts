import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RETRY_SECONDS } from 'pixelmill-server/webhooks/attempt'
import { signatureHeaders } from 'pixelmill-server/webhooks/signing'

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
const blockWith = (language: string, text: string): string =>
  blocks(language).find((block) => block.includes(text)) ?? assert.fail(`no block has ${text}`)

type Verify = (secret: string, headers: Readonly<Record<string, string>>, body: string | Buffer) => boolean
const { verify } = (await import(`data:text/javascript,${encodeURIComponent(blockWith('js', 'function verify'))}`)) as {
  verify: Verify
}

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = secretOf()
const other = secretOf()
const body = '{"type":"batch.completed","data":{"name":"Grün"}}'
const signedAt = (seconds: number, secrets: readonly string[], id = 'c0ffee') =>
  signatureHeaders({ id, at: new Date(Date.now() + seconds * 1000), body }, secrets)
type Headers = ReturnType<typeof signedAt>

/** Headers are made when a test runs: verify() compares their time with the clock. */
const cases: readonly (readonly [what: string, headers: () => Headers, body: string, verified: boolean])[] = [
  ['what was signed', () => signedAt(0, [secret]), body, true],
  ['what was signed with a new secret beside it', () => signedAt(0, [other, secret]), body, true],
  ['another secret', () => signedAt(0, [other]), body, false],
  ['another body', () => signedAt(0, [secret]), `${body} `, false],
  ['another id', () => ({ ...signedAt(0, [secret]), 'webhook-id': 'decaf' }), body, false],
  ['what is old', () => signedAt(-400, [secret]), body, false],
  ['what is of the future', () => signedAt(400, [secret]), body, false],
  ['no headers', () => ({}), body, false],
  ['no timestamp', () => ({ ...signedAt(0, [secret]), 'webhook-timestamp': '' }), body, false],
  [
    'a signature of other letters',
    () => ({ ...signedAt(0, [secret]), 'webhook-signature': `v1,${'é'.repeat(44)}` }),
    body,
    false,
  ],
]
for (const [what, headers, text, outcome] of cases)
  test(`the page's verify() says ${outcome} to ${what}`, () => {
    assert.equal(verify(secret, headers(), text), outcome)
    assert.equal(verify(secret, headers(), Buffer.from(text)), outcome)
  })

test("the page's waits are those between retries", () => {
  const [, pauses = ''] = /\n(5 s, .*),\n/.exec(page) ?? []
  const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 }
  let unit = 1
  const waits = pauses
    .split(/, | and /)
    .toReversed()
    .map((wait) => {
      const [number, name] = wait.split(' ')
      unit = units[name ?? ''] ?? unit
      return Number(number) * unit
    })
    .toReversed()
  assert.deepEqual(
    waits,
    RETRY_SECONDS.map((seconds, nth) => seconds - (RETRY_SECONDS[nth - 1] ?? 0)),
  )
})
