import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../measure/worker-process.ts'

interface Ipx {
  createIPX(options: { storage: unknown }): unknown
  createIPXNodeServer(ipx: unknown): RequestListener
  ipxFSStorage(options: { dir: string }): unknown
}

// The name is no literal, so that type checks also pass where it is not installed.
const name: string = 'ipx'
const { createIPX, createIPXNodeServer, ipxFSStorage } = (await import(name)) as Ipx

/** Serves the folder with ipx as in its README, with its own defaults, and returns the port. */
async function serve(folder: string): Promise<number> {
  const ipx = createIPX({ storage: ipxFSStorage({ dir: folder }) })
  const server = createServer(createIPXNodeServer(ipx))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

answerParent(serve)
