import type { Route } from '../http/route.ts'
import { operationRoutes } from './api/v1/operations.ts'
import { documentationRoutes } from './docs/index.ts'
import { healthz } from './system/healthz.ts'
import { metrics } from './system/metrics.ts'
import { readyz } from './system/readyz.ts'

const documented: readonly Route[] = [...operationRoutes, healthz, readyz, metrics]

/** Every endpoint of the service. A route that is not listed here does not exist. */
export const routes: readonly Route[] = [...documented, ...documentationRoutes(documented)]
