import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { curlLines } from '@pixelmill/dashboard/web/curl'
import { exampleCall } from 'pixelmill-server/pages/examples'
import { routes } from 'pixelmill-server/routes'
import { makeAccount, openServerDatabase } from 'pixelmill-server/test/support/accounts'
import { type SharedServer, shareServer } from 'pixelmill-server/test/support/shared-server'

/** `--json` came with curl 7.82. */
const curl = /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '')
const tooOld = !curl || Number(curl[1]) * 1_000 + Number(curl[2]) < 7_082
const skip = tooOld && 'curl 7.82 or newer is not installed'

let server: SharedServer
let folder: string
let key: string
before(async () => {
  server = await shareServer()
  const database = await openServerDatabase(server.dir)
  key = (await makeAccount(database, 'team')).key
  await database.close()
  folder = await mkdtemp(join(tmpdir(), 'pixelmill-examples-'))
  // More than a command line can hold.
  await writeFile(
    join(folder, 'photo.jpg'),
    Buffer.concat([await solid(640, 480, '#123456').jpeg().toBuffer(), Buffer.alloc(1e6)]),
  )
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await server[Symbol.asyncDispose]()
})

const withImages = routes.filter(({ images }) => images)

test('there are endpoints with images in JSON', () => assert.ok(withImages.length > 2))

for (const route of withImages) {
  test(`the example of ${route.path} sends a body that is taken`, { skip }, () => {
    const env = { PATH: process.env.PATH, PIXELMILL_URL: server.url, PIXELMILL_KEY: key }
    const lines = curlLines(exampleCall(route))
    const { status, stdout, stderr } = spawnSync('sh', ['-c', lines], { cwd: folder, env, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    // The server has no model; some endpoints do without.
    const { statusCode = 200 } = JSON.parse(stdout) as { statusCode?: number }
    assert.ok([200, 503].includes(statusCode), stdout)
  })
}
