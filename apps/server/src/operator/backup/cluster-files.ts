import { mkdir, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Folders whose contents belong to the running server: PostgreSQL's manual, 25.3.4, lists them. */
const OF_THE_RUN = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]

/**
 * Files that belong to the running server, are temporary, or are rewritten; pg_control is copied last, and the log separately.
 */
const LEFT_OUT = /^postmaster\.(pid|opts)$|^global\/pg_control$|(^|\/)(pgsql_tmp|pg_internal\.init|t\d+_\d+)|\.tmp$/

/** The files of a base backup, without its log. Creates folders below `to`, including empty ones. */
export async function clusterFiles(cluster: string, to: string): Promise<readonly string[]> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true })
  const files: string[] = []
  for (const entry of entries) {
    const path = relative(cluster, join(entry.parentPath, entry.name))
    const ofTheRun = OF_THE_RUN.some((folder) => path.startsWith(`${folder}/`))
    if (entry.isDirectory() && !(ofTheRun && !path.startsWith('pg_wal/'))) {
      await mkdir(join(to, path), { recursive: true, mode: 0o700 })
    }
    if (entry.isFile() && !ofTheRun && !LEFT_OUT.test(path)) files.push(path)
  }
  return files
}
