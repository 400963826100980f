import type { LoadResult, PlannedRequest } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { differenceOf, type PerRole, roles, treeCpu } from '../measure/tree-usage.ts'
import { bootServer, newKey, type Server } from '../server/boot-server.ts'
import type { Postgres } from '../server/start-postgres.ts'

/** One way to run the service with two renderers. */
export interface Deployment {
  /** Throughput, and CPU milliseconds of all processes per image. */
  run(requests: readonly PlannedRequest[], images: number): Promise<PerRole>
  stop(): Promise<void>
}

const concurrency = 8

const loadOn = async (
  server: Server,
  requests: readonly PlannedRequest[],
  lanes: number,
  images: number,
): Promise<LoadResult> => {
  const { port, key } = server
  const result = await runLoad({ port, key, requests, concurrency: lanes, until: { images }, retry: 'wait' })
  if (result.succeeded < images) throw new Error(`${JSON.stringify(result.statuses)} instead of ${images} images`)
  return result
}

const sumOver = (all: readonly PerRole[], images: number) =>
  Object.fromEntries(roles.map((role) => [role, all.reduce((sum, one) => sum + one[role], 0) / images])) as PerRole

/** One process with everything in it, and the embedded PostgreSQL. */
export async function oneProcess(): Promise<Deployment> {
  const server = await bootServer({ RENDERERS: '2' })
  return {
    async run(requests, images) {
      const { cpu } = await server.cpuDuring(() => loadOn(server, requests, concurrency, images))
      return sumOver([cpu], images)
    },
    stop: server.stop,
  }
}

/** Two API processes with one renderer each on one PostgreSQL; each gets half of the clients and images. */
export async function twoProcesses(postgres: Postgres): Promise<Deployment> {
  const settings = { ROLE: 'api', RENDERERS: '1', DATABASE_URL: postgres.url, ADMIN_API_KEY: newKey() }
  const servers = [await bootServer(settings), await bootServer(settings)] as const
  const [first, second] = servers
  return {
    async run(requests, images) {
      const before = treeCpu(postgres.pid)
      const half = (server: Server) => server.cpuDuring(() => loadOn(server, requests, concurrency / 2, images / 2))
      const [one, other] = await Promise.all([half(first), half(second)])
      return sumOver([one.cpu, other.cpu, differenceOf(treeCpu(postgres.pid), before)], images)
    },
    async stop() {
      for (const server of servers) await server.stop()
    },
  }
}
