import { availableParallelism, cpus, totalmem } from 'node:os'
import sharp from 'sharp'
import { ipxVersion } from '../ipx/start-ipx.ts'
import type { Table } from './table.ts'

/** What the figures depend on; nothing that names the machine. */
export function circumstances(command: string, photographs: string): Table {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const versions = `Node ${process.versions.node}, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}, ipx ${ipxVersion() ?? 'not installed'}`
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
      ['versions', versions],
      ['pictures', `${photographs}; those of 12 MP are enlarged from them, with grain, JPEG quality 90`],
    ],
  }
}
