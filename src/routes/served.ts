import type { Pages } from '../dashboard/pages.ts'
import type { Route } from '../http/route.ts'
import { documentationRoutes } from './docs/index.ts'
import { documented } from './index.ts'
import { pageRoutes } from './pages/index.ts'

/** What the server answers: the endpoints, their documentation, and the dashboard, whose build brings the documentation's script. */
export const servedRoutes = (pages: Pages | undefined): readonly Route[] => [
  ...documented,
  ...documentationRoutes(documented, pages?.referenceScript),
  ...pageRoutes(pages),
]
