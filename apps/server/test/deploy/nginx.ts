import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@pixelmill/engine/test/support/until'
import { text } from './files.ts'
import { nameServer } from './name-server.ts'

/** nginx from Debian with deploy/nginx.conf, in which only places differ: where it listens, and where the apis are. */
export async function startNginx(
  port: string,
  apis: { readonly addresses: readonly string[]; readonly port: string },
): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'pixelmill-nginx-'))
  // Its workers are not root, where it is.
  await chmod(folder, 0o777)
  const names = await nameServer(apis.addresses)
  const config = [
    ['/tmp/', `${folder}/`],
    ['127.0.0.11 valid=2s', `127.0.0.1:${names.port} valid=1s`],
    ['listen 8080', `listen 127.0.0.1:${port}`],
    ['api:3000', `api:${apis.port}`],
  ].reduce((whole, [from = '', to = '']) => {
    assert.ok(whole.includes(from), from)
    return whole.replaceAll(from, to)
  }, text('deploy/nginx.conf'))
  const file = join(folder, 'nginx.conf')
  await writeFile(file, config)
  const triedReturns = spawnSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8' })
  assert.equal(triedReturns.status, 0, triedReturns.stderr)
  const nginx = spawn('nginx', ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' })
  const answers = async () =>
    fetch(`http://127.0.0.1:${port}/balancer`).then(
      ({ ok }) => ok,
      () => false,
    )
  assert.ok(await until(answers, 30_000))
  return {
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
      names.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
