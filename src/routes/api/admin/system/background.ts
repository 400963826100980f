import { z } from 'zod'
import type { Services } from '../../../../services.ts'
import { metricValues } from './metric-values.ts'
import { count, definePart, warning } from './part.ts'

const remover = z.object({
  name: z.enum(['external', 'model', 'local']),
  state: z.enum(['ready', 'resting', 'loading', 'failed']).describe('resting: it has failed, and is left alone for a while.'),
  service: z.string().optional().describe('Of external: BG_PROVIDER.'),
  restsSeconds: count.optional(),
  why: z.string().optional(),
  outcomes: z.array(z.object({ outcome: z.string(), pictures: count })).describe('Since the start.'),
})

type State = Omit<z.output<typeof remover>, 'outcomes'>

function stateOf({ background, models, config }: Services, name: State['name']): State {
  if (name === 'model') {
    const { state = 'failed', why } = models.reports().background ?? {}
    return { name, state, ...(why !== undefined && { why }) }
  }
  const rests = Math.ceil(background.removers.find((each) => each.name === name)?.restsSeconds?.() ?? 0)
  const service = name === 'external' ? config.BG_PROVIDER : undefined
  return { name, ...(service && { service }), ...(rests > 0 ? { state: 'resting', restsSeconds: rests } : { state: 'ready' }) }
}

export const background = definePart({
  shape: z.object({ removers: z.array(remover).describe('In the order in which they are asked.') }),
  async read(services) {
    const removals = await metricValues(services.metrics.registry, 'background_removal_seconds')
    const outcomesOf = (name: string) =>
      removals
        .filter(({ labels }) => labels.remover === name)
        .map(({ labels, value }) => ({ outcome: String(labels.outcome), pictures: value }))
    return {
      removers: services.background.removers.map(({ name }) => ({ ...stateOf(services, name), outcomes: outcomesOf(name) })),
    }
  },
  concerns: ({ removers }) =>
    removers.flatMap(({ name, service, state, restsSeconds }) =>
      name === 'external' && state === 'resting'
        ? [
            warning(
              `${service} does not work and is left alone for ${restsSeconds} s: others remove backgrounds. The log says why.`,
            ),
          ]
        : [],
    ),
})
