import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Reference } from '../conversions/reference.ts'
import { sleep } from '../measure/sleep.ts'
import type { Rendering } from '../rendering.ts'
import { progress } from '../report/progress.ts'
import { freePort } from '../server/free-port.ts'
import { MODULE, nginxConfig } from './nginx-config.ts'

/** Debian installs it in a folder that is not on every user's path. */
const PROGRAM = '/usr/sbin/nginx'
const TRIES = 100

/** Reports errors on standard error; undefined if it cannot be started. */
export const nginxVersion = (): string | undefined =>
  existsSync(PROGRAM) && existsSync(MODULE) ? /\d+\.\d+\.\d+/.exec(spawnSync(PROGRAM, ['-v']).stderr.toString())?.[0] : undefined

async function start(photographs: string, width: number): Promise<Reference> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-bench-nginx-'))
  const config = join(folder, 'nginx.conf')
  const log = join(folder, 'error.log')
  const port = await freePort()
  writeFileSync(config, nginxConfig({ photographs, port, width, folder }))
  const server = spawn(PROGRAM, ['-p', folder, '-c', config, '-e', log], { stdio: 'ignore' })
  const end = () => server.kill('SIGTERM')
  process.on('exit', end)
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  for (let tries = 0; tries < TRIES && server.exitCode === null && !(await answers()); tries++) await sleep(50)
  if (server.exitCode !== null) throw new Error(`nginx did not start:\n${readFileSync(log, 'utf8').slice(-1500)}`)
  return {
    name: 'nginx',
    pid: server.pid ?? 0,
    port,
    requests: ({ size }, { files }) => files[size].map((file) => ({ path: `/${basename(file)}` })),
    async stop() {
      const exit = once(server, 'exit')
      end()
      await exit
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** nginx's image_filter on the photographs in a folder, for what it supports: JPEGs to smaller JPEGs. */
export async function startNginx(photographs: string, { format, width }: Rendering): Promise<Reference | undefined> {
  if (format !== 'jpeg' || width === undefined) return undefined
  try {
    if (nginxVersion()) return await start(photographs, width)
    progress('without nginx: apt-get install nginx-core libnginx-mod-http-image-filter brings it')
  } catch (error) {
    progress(`without nginx: ${error instanceof Error ? error.message : error}`)
  }
  return undefined
}
