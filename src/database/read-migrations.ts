import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The SQL of each migration by its name, in the order in which they run. */
export type Migrations = ReadonlyMap<string, string>

/** One for each `NNNN_name.sql` of a folder. */
export async function readMigrations(folder: string): Promise<Migrations> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const read = async (file: string) => [basename(file, '.sql'), await readFile(join(folder, file), 'utf8')] as const
  return new Map(await Promise.all(files.map(read)))
}
