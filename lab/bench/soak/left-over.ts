import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from 'pixelmill-server/database/database'
import { socketFolder } from 'pixelmill-server/database/embedded/address'
import { processTree, roleOf } from '../measure/processes.ts'
import type { Server } from '../server/boot-server.ts'

/** The resources of an idle server. */
export interface Held {
  readonly processes: number
  readonly renderers: number
  readonly apiHandles: number
  readonly rendererHandles: number
  readonly connections: number
  readonly reservations: number
  readonly files: number
  readonly temporary: number
}

function handlesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
      .filter(Boolean).length
  } catch {
    return 0 // The process ended meanwhile.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // The descriptor of the listing itself, or one that was closed.
  }
}

const filesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

async function rowsHeld(data: string): Promise<Pick<Held, 'connections' | 'reservations'>> {
  const database = await openDatabase({ socketDir: socketFolder(data) }, () => {})
  try {
    const { rows } = await database.pool.query<{ connections: number; reservations: number }>(`
      select (select count(*)::int from pg_stat_activity
               where backend_type = 'client backend' and pid <> pg_backend_pid()) as connections,
             (select count(*)::int from reservation)
               + (select count(*)::int from account where reserved <> 0) as reservations`)
    return rows[0] ?? { connections: 0, reservations: 0 }
  } finally {
    await database.close()
  }
}

/** @param temporary the server's folder for temporary files */
export async function heldBy({ root, data }: Server, temporary: string): Promise<Held> {
  const tree = processTree(root, data).map(({ pid }) => ({ pid, role: roleOf(pid) }))
  const of = (role: string) => tree.filter((one) => one.role === role)
  const handles = (role: string) => of(role).reduce((sum, { pid }) => sum + handlesOf(pid), 0)
  return {
    processes: tree.length - of('postgres').length,
    renderers: of('renderers').length,
    apiHandles: handles('api'),
    rendererHandles: handles('renderers'),
    ...(await rowsHeld(data)),
    files: filesIn(join(data, 'blobs')),
    temporary: filesIn(temporary),
  }
}
