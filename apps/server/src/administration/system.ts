import { z } from 'zod'
import { jsonReply } from '../http/reply.ts'
import { defineRoute } from '../http/route.ts'
import type { Services } from '../services.ts'
import { batches, webhooks } from './batches.ts'
import { housekeeping } from './housekeeping.ts'
import { ai, background, models } from './models.ts'
import { type Concern, levels, type Part } from './part.ts'
import { renderers } from './renderers.ts'
import { server, servers } from './servers.ts'
import { settings } from './settings.ts'
import { database, storage } from './storage.ts'

/** All parts of the answer, in order. */
const parts = {
  server,
  servers,
  database,
  renderers,
  storage,
  batches,
  webhooks,
  ai,
  background,
  models,
  housekeeping,
  settings,
} as const

type PartName = keyof typeof parts
const partNames = Object.keys(parts) as [PartName, ...PartName[]]

const shapes = Object.fromEntries(Object.entries(parts).map(([name, { shape }]) => [name, shape])) as {
  readonly [Name in PartName]: (typeof parts)[Name]['shape']
}

const answer = z.object({
  state: z.enum(['good', 'warning', 'failing']).describe('The most severe concern; notes do not count.'),
  concerns: z
    .array(z.object({ part: z.enum(partNames), level: z.enum(levels), text: z.string() }))
    .describe('Concerns that need attention, the most severe first.'),
  at: z.iso.datetime(),
  ...shapes,
})

export type SystemState = z.output<typeof answer>

/** Reads one part. */
async function read<Shape extends z.ZodType>({ read, concerns }: Part<Shape>, services: Services) {
  const state = await read(services)
  return { state, concerns: concerns?.(state) ?? [] }
}

const gravity = ({ level }: Concern): number => levels.indexOf(level)

export const systemState = defineRoute({
  method: 'GET',
  path: '/api/admin/system',
  name: 'systemState',
  tag: 'Administration',
  summary: 'Show the state of the service and what needs attention.',
  description:
    "Contains the data of `/readyz` and `/metrics`, the database's data on all processes, and the configured settings, but no secrets.",
  admission: 'admin',
  produces: ['application/json'],
  answer,
  errors: [],
  async handle({ services }) {
    const states = await Promise.all(partNames.map(async (name) => ({ name, ...(await read<z.ZodType>(parts[name], services)) })))
    const concerns = states
      .flatMap(({ name: part, concerns }) => concerns.map((concern) => ({ part, ...concern })))
      .sort((one, other) => gravity(one) - gravity(other))
    const [worst] = concerns.filter(({ level }) => level !== 'note')
    return jsonReply({
      state: worst?.level ?? 'good',
      concerns,
      at: new Date().toISOString(),
      ...Object.fromEntries(states.map(({ name, state }) => [name, state])),
    })
  },
})
