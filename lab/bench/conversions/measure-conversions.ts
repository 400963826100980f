import { type Bare, startBare } from '../bare/start-bare.ts'
import type { Bench, Measurement } from '../bench.ts'
import { startIpx } from '../ipx/start-ipx.ts'
import { startNginx } from '../nginx/start-nginx.ts'
import { progress } from '../report/progress.ts'
import { bootServer, type Server } from '../server/boot-server.ts'
import { compare } from './compare.ts'
import type { Conversion } from './conversion.ts'
import { conversions } from './index.ts'
import { sweep } from './sweep.ts'
import { bytesTable, cpuTable, type Measured, roleTable, speedTable } from './tables.ts'

async function measureOne(conversion: Conversion, { photographs, quick }: Bench, server: Server, bare: Bare): Promise<Measured> {
  progress(conversion.title)
  const folder = photographs.folders[conversion.size]
  const servers = [await startIpx(folder), await startNginx(folder, conversion.rendering)]
  const references = servers.filter((one) => one !== undefined)
  try {
    const rounds = await compare({ server, bare, references }, photographs, conversion, quick ? 2 : 5)
    return { conversion, rounds, speeds: await sweep(server, photographs, conversion, quick ? 1 : 2) }
  } finally {
    for (const reference of references) await reference.stop()
  }
}

/** Photographs converted to smaller ones and other formats, compared with the bare loop, ipx and nginx. */
export const measureConversions: Measurement = {
  names: conversions.map(({ name }) => name),
  async measure(bench, cellNames) {
    const server = await bootServer()
    const bare = await startBare()
    const all: Measured[] = []
    try {
      for (const conversion of conversions)
        if (cellNames.includes(conversion.name)) all.push(await measureOne(conversion, bench, server, bare))
    } finally {
      await bare.stop()
      await server.stop()
    }
    return [cpuTable(all), roleTable(all), bytesTable(all), speedTable(all)]
  },
}
