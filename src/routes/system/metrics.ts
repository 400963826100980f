import { defineRoute } from '../../http/route.ts'

export const metrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  name: 'metrics',
  tag: 'System',
  summary: 'Prometheus metrics.',
  description: 'With METRICS_PORT they are on that port alone.',
  admission: 'open',
  produces: ['text/plain'],
  errors: [],
  async handle({ services: { metrics } }) {
    return { headers: { 'content-type': metrics.registry.contentType }, body: await metrics.registry.metrics() }
  },
})
