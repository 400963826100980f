import { availableParallelism, cpus, totalmem } from 'node:os'
import sharp from 'sharp'
import { ipxVersion } from '../ipx/start-ipx.ts'
import { nginxVersion } from '../nginx/start-nginx.ts'
import { postgresVersions } from '../server/start-postgres.ts'
import type { Table } from './table.ts'

/** What the numbers depend on; does not identify the machine. */
export async function circumstances(command: string, photographs: string): Promise<Table> {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const postgres = await postgresVersions()
  const versions = {
    Node: process.versions.node,
    sharp: sharp.versions.sharp,
    libvips: sharp.versions.vips,
    'embedded PostgreSQL': postgres.embedded,
    PostgreSQL: postgres.system,
    ipx: ipxVersion(),
    nginx: nginxVersion(),
  }
  return {
    title: 'Circumstances',
    columns: ['what', 'value'],
    rows: [
      ['date', new Date().toISOString().slice(0, 10)],
      ['command', `\`${command}\``],
      [
        'machine',
        `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${memory}, ${process.platform} ${process.arch}`,
      ],
      [
        'versions',
        Object.entries(versions)
          .map(([name, version]) => `${name} ${version ?? '(not installed)'}`)
          .join(', '),
      ],
      ['pictures', `${photographs}; those of 12 MP are enlarged from them, with grain, JPEG quality 90`],
    ],
  }
}
