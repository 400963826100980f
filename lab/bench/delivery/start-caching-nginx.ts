import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../measure/sleep.ts'
import { freePort } from '../server/free-port.ts'

/** Debian installs it in a folder that is not on every user's path. */
const PROGRAM = '/usr/sbin/nginx'
const TRIES = 100

export interface CachingNginx {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

/** One worker that keeps answers in a folder, in front of a server; without an access log. */
const configOf = (folder: string, port: number, behind: number): string => `
daemon off;
${process.geteuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  proxy_cache_path ${folder}/cache keys_zone=images:10m;
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://127.0.0.1:${behind};
      proxy_cache images;
    }
  }
}
`

/** A server; undefined where nginx is not installed. */
export async function startCachingNginx(behind: number): Promise<CachingNginx | undefined> {
  if (!existsSync(PROGRAM)) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-bench-cache-'))
  const config = join(folder, 'nginx.conf')
  const port = await freePort()
  writeFileSync(config, configOf(folder, port, behind))
  const server = spawn(PROGRAM, ['-p', folder, '-c', config, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  const end = () => server.kill('SIGTERM')
  process.on('exit', end)
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; tries < TRIES && server.exitCode === null && !(await answers()); tries++) await sleep(50)
  if (server.exitCode !== null) throw new Error(`nginx did not start:\n${readFileSync(join(folder, 'error.log'), 'utf8')}`)
  return {
    pid: server.pid ?? 0,
    port,
    async stop() {
      const exit = once(server, 'exit')
      end()
      await exit
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
