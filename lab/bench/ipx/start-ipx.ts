import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Reference } from '../conversions/reference.ts'
import type { PlannedRequest } from '../load/load-plan.ts'
import { startWorkerProcess } from '../measure/worker-process.ts'
import { encoderQuality, type Rendering } from '../rendering.ts'
import { progress } from '../report/progress.ts'

const folder = new URL('.', import.meta.url)
const manifest = new URL('node_modules/ipx/package.json', folder)

function install() {
  progress('installing ipx (npm ci --prefix lab/bench/ipx)')
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', folder.pathname], { stdio: 'inherit' })
}

export const ipxVersion = (): string | undefined =>
  existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : undefined

/** ipx on the pictures of a folder; undefined if it cannot be installed, so that the rest is measured anyway. */
export async function openIpx(folder: string): Promise<{ pid: number; port: number; stop(): Promise<void> } | undefined> {
  try {
    if (!ipxVersion()) install()
    const { pid, ask, stop } = await startWorkerProcess(new URL('ipx-process.ts', import.meta.url))
    return { pid, port: await ask<number>(folder), stop }
  } catch (error) {
    progress(`without ipx: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** ipx beside the service, with the encoder's quality that the service uses. */
export async function startIpx(photographs: string): Promise<Reference | undefined> {
  const ipx = await openIpx(photographs)
  return (
    ipx && {
      ...ipx,
      name: 'ipx',
      requests: ({ size, rendering }, { files }) => files[size].map((file) => ipxRequest(basename(file), rendering)),
    }
  )
}

/** The path that requests the same picture from ipx, with its encoder's own number for the quality. */
const ipxRequest = (fileName: string, rendering: Rendering): PlannedRequest => ({
  path: `/f_${rendering.format},q_${encoderQuality(rendering)}${rendering.width ? `,w_${rendering.width}` : ''}/${fileName}`,
})
