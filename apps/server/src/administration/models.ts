import { z } from 'zod'
import { providers } from '../ai/provider.ts'
import type { Services } from '../services.ts'
import { count, definePart, metricValues, warning } from './part.ts'

const provider = z.enum(providers).describe("platform: the server's own model; byok: models of callers.")

export const ai = definePart({
  shape: z.object({
    model: z
      .string()
      .nullable()
      .describe("The server's own model; null if none is configured: smart-crop and recommend then work without a model."),
    server: z.string().nullable().describe('Address of its server, without the path.'),
    savesKeys: z
      .boolean()
      .describe('Whether accounts can save their own keys; with DATABASE_URL this requires AI_KEY_ENCRYPTION_SECRET.'),
    waiting: z.array(z.object({ provider, questions: count })).describe('Questions waiting in the queue.'),
    outcomes: z
      .array(z.object({ provider, outcome: z.string(), questions: count }))
      .describe('Outcomes of questions since the start.'),
  }),
  async read({ ai: { access, questionQueues }, metrics }) {
    const questions = await metricValues(metrics.registry, 'ai_question_seconds')
    return {
      model: access.platform?.model ?? null,
      server: access.platform ? new URL(access.platform.baseUrl).origin : null,
      savesKeys: access.vault !== undefined,
      waiting: providers.map((name) => ({ provider: name, questions: questionQueues[name].waiting() })),
      outcomes: providers.flatMap((name) => {
        const own = questions.filter(({ labels }) => labels.provider === name)
        return own.map(({ labels, value }) => ({ provider: name, outcome: String(labels.outcome), questions: value }))
      }),
    }
  },
})

const remover = z.object({
  name: z.enum(['external', 'model', 'local']),
  state: z.enum(['ready', 'resting', 'loading', 'failed']).describe('resting: it has failed and is paused for a while.'),
  service: z.string().optional().describe('For `external`: BG_PROVIDER.'),
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
  shape: z.object({ removers: z.array(remover).describe('In the order in which they are tried.') }),
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
              `${service} does not work and is not called for ${restsSeconds} s: others remove backgrounds. The log says why.`,
            ),
          ]
        : [],
    ),
})

const tasks = { background: 'removes backgrounds', superResolution: 'enlarges pictures' } as const

export const models = definePart({
  shape: z
    .array(
      z.object({
        name: z.enum(['background', 'superResolution']),
        state: z.enum(['loading', 'ready', 'failed']),
        sha256: z.string(),
        preset: z.string().optional(),
        factor: z.number().optional().describe('Factor by which it enlarges width and height.'),
        why: z.string().optional(),
      }),
    )
    .describe('ONNX models on this machine: BG_MODEL_PATH and SR_MODEL_PATH.'),
  async read({ models }) {
    const { background, superResolution } = models.reports()
    return [
      ...(background ? [{ name: 'background' as const, ...background }] : []),
      ...(superResolution ? [{ name: 'superResolution' as const, ...superResolution }] : []),
    ]
  },
  concerns: (foundModels) =>
    foundModels.flatMap(({ name, state, why }) =>
      state === 'failed'
        ? [warning(`The model that ${tasks[name]} cannot be used: ${why}. It is done without, and tried again.`)]
        : [],
    ),
})
