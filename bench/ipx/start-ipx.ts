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
  progress('installing ipx (npm ci --prefix bench/ipx)')
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', folder.pathname], { stdio: 'inherit' })
}

export const ipxVersion = (): string | undefined =>
  existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : undefined

/** ipx on the photographs in a folder; undefined if it cannot be installed, so that the rest is measured anyway. */
export async function startIpx(photographs: string): Promise<Reference | undefined> {
  try {
    if (!ipxVersion()) install()
    const ipx = await startWorkerProcess(new URL('ipx-process.ts', import.meta.url))
    return {
      ...{ name: 'ipx', pid: ipx.pid, port: await ipx.ask<number>(photographs), stop: ipx.stop },
      requests: ({ size, rendering }, { files }) => files[size].map((file) => ipxRequest(basename(file), rendering)),
    }
  } catch (error) {
    progress(`without ipx: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** The path that requests the same picture from ipx, with its encoder's own number for the quality. */
const ipxRequest = (fileName: string, rendering: Rendering): PlannedRequest => ({
  path: `/f_${rendering.format},q_${encoderQuality(rendering)}${rendering.width ? `,w_${rendering.width}` : ''}/${fileName}`,
})
