import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@pixelmill/engine/test/support/until'
import { listen } from '../support/listener.ts'

export const noNginx = spawnSync('nginx', ['-v']).error !== undefined && 'nginx is not installed'

/** Debian's nginx with one server, of which only the locations are given. */
export async function startPlainNginx(locations: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const { port, ...unused } = await listen(() => {})
  await unused[Symbol.asyncDispose]()
  const folder = await mkdtemp(join(tmpdir(), 'pixelmill-plain-nginx-'))
  // Its workers are not root, where it is.
  await chmod(folder, 0o777)
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')} server { listen 127.0.0.1:${port}; ${locations} } }`,
  )
  const triedReturns = spawnSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8' })
  assert.equal(triedReturns.status, 0, triedReturns.stderr)
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  assert.ok(await until(answers, 30_000))
  return {
    url,
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
