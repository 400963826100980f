import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { RETRY_SECONDS } from '../../src/webhooks/attempt.ts'
import { signatureHeaders } from '../../src/webhooks/signing.ts'
import { tempFolder } from '../database/temp-folder.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { listen } from '../support/listener.ts'
import { solid } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { zipFile } from '../support/zip.ts'

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
const [secret, other] = [secretOf(), secretOf()]
const body = '{"type":"batch.completed","data":{"name":"Grün"}}'
const at = (seconds: number) => ({ id: 'c0ffee', at: new Date(Date.now() + seconds * 1000), body })
const good = signatureHeaders(at(0), [secret])

const cases: readonly (readonly [what: string, headers: Readonly<Record<string, string>>, body: string, verified: boolean])[] = [
  ['what was signed', good, body, true],
  ['what was signed with a new secret beside it', signatureHeaders(at(0), [other, secret]), body, true],
  ['another secret', signatureHeaders(at(0), [other]), body, false],
  ['another body', good, `${body} `, false],
  ['another id', { ...good, 'webhook-id': 'decaf' }, body, false],
  ['what is old', signatureHeaders(at(-400), [secret]), body, false],
  ['what is of the future', signatureHeaders(at(400), [secret]), body, false],
  ['no headers', {}, body, false],
  ['no timestamp', { ...good, 'webhook-timestamp': '' }, body, false],
  ['a signature of other letters', { ...good, 'webhook-signature': `v1,${'é'.repeat(44)}` }, body, false],
]
for (const [what, headers, sent, verified] of cases)
  test(`the page's verify() says ${verified} to ${what}`, () => {
    assert.equal(verify(secret, headers, sent), verified)
    assert.equal(verify(secret, headers, Buffer.from(sent)), verified)
  })

test("the page's waits are those between retries", () => {
  const [, listed = ''] = /\n(5 s, .*),\n/.exec(page) ?? []
  const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 }
  let unit = 1
  const waits = listed
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

const skip = spawnSync('curl', ['--version']).status !== 0 && 'curl is not installed'

test('every line of the page works as it stands, from a batch to its event', { skip }, async (t) => {
  const { port, ...taken } = await listen(() => {})
  await taken[Symbol.asyncDispose]()
  const folder = await tempFolder(t)
  // The page has one fixed port; a test takes a free one.
  const own = (text: string) => text.replaceAll('8080', String(port))
  await writeFile(join(folder, 'receiver.mjs'), blocks('js').map(own).join('\n'))
  const image = await solid(8, 8, '#123456').png().toBuffer()
  await writeFile(join(folder, 'images.zip'), zipFile([{ name: 'a.png', data: image }]))
  assert.match(blockWith('sh', 'npm start'), /^EGRESS_ALLOW=127\.0\.0\.1:8080 npm start\n$/)
  await using server = await startServer({ EGRESS_ALLOW: `127.0.0.1:${port}` })
  const database = await openServerDatabase(server.dir)
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  const { id, key } = await makeAccount(database, 'team')
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { PATH, URL: server.url, TOKEN: await makeLogin(database, id), KEY: key }
  const script = `set -e\n${blockWith('sh', 'node receiver.mjs')}\nwait`
  const shell = spawn('bash', ['-c', script], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => shell.pid && process.kill(-shell.pid, 'SIGKILL'))
  let printed = ''
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const refusesStrangers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status === 401,
      () => false,
    )
  assert.ok(await until(refusesStrangers, 30_000), 'the receiver listens')

  const run = async (block: string) => (await promisify(execFile)('bash', ['-ec', own(block)], { cwd: folder, env })).stdout
  const { id: batch } = JSON.parse(await run(blockWith('sh', 'webhook_url')))
  // Batches are rendered when nothing else wants the processor, and other tests may: this one ends in any case.
  await database.pool.query(`select fail_batches(array[$1::uuid], 'stale', 'ended by a test')`, [batch])
  const told = new RegExp(`^batch\\.(completed|failed) ${batch}$`, 'm')
  assert.ok(await until(async () => told.test(printed), 30_000), printed)
  const list = blockWith('sh', 'webhook-deliveries?limit')
  assert.ok(await until(async () => /"status":"delivered"/.test(await run(list))))
})
