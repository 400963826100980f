import type { Config } from '../config.ts'
import type { Pages } from '../dashboard/pages.ts'
import type { Route } from '../http/route.ts'
import { documentationRoutes } from './docs/index.ts'
import { documented } from './index.ts'
import { pageRoutes } from './pages/index.ts'
import { healthz } from './system/healthz.ts'
import { metrics } from './system/metrics.ts'
import { readyz } from './system/readyz.ts'

/** What the server answers: the endpoints, their documentation, and the dashboard, whose build brings the documentation's script. */
export const servedRoutes = (
  pages: Pages | undefined,
  { METRICS_PORT: apart }: Pick<Config, 'METRICS_PORT'>,
): readonly Route[] => [
  ...(apart === undefined ? documented : documented.filter((route) => route !== metrics)),
  ...documentationRoutes(documented, pages?.referenceScript),
  ...pageRoutes(pages),
]

/** What METRICS_PORT answers. */
export const probeRoutes: readonly Route[] = [healthz, readyz, metrics]
