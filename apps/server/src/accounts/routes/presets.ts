import { parseJson } from '@pixelmill/codecs/contract/parse'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'
import { accountOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { type Call, defineRoute } from '../../http/route.ts'
import { listPresets, preset, presetName, removePreset, savePreset } from '../presets.ts'

const path = '/api/user/presets/:name'

/** @throws ApiError invalid_params */
const nameIn = ({ path }: Pick<Call, 'path'>): string => parseJson(z.object({ name: presetName }), path).name

export const listOwnPresets = defineRoute({
  method: 'GET',
  path: '/api/user/presets',
  name: 'listPresets',
  tag: 'Recipes',
  summary: 'List the presets of the account by name.',
  admission: 'settings',
  scopes: ['presets'],
  produces: ['application/json'],
  answer: z.object({ presets: z.array(preset) }),
  errors: [],
  async handle({ visitor, services: { database } }) {
    return jsonReply({ presets: await listPresets(database.kysely, accountOf(visitor)) })
  },
})

export const savePresetRoute = defineRoute({
  method: 'PUT',
  path,
  name: 'savePreset',
  tag: 'Recipes',
  summary: 'Keep a recipe under a name, in place of the one that has it.',
  description: 'Wherever a recipe can be sent, `preset` with its name can be sent instead.',
  admission: 'settings',
  scopes: ['presets'],
  json: z.strictObject({ recipe: recipeSchema }),
  produces: ['application/json'],
  answer: preset,
  errors: ['too_many_presets'],
  async handle(call) {
    const { body, visitor, services } = call
    return jsonReply(await savePreset(services.database.kysely, accountOf(visitor), nameIn(call), body.recipe))
  },
})

export const removePresetRoute = defineRoute({
  method: 'DELETE',
  path,
  name: 'removePreset',
  tag: 'Recipes',
  summary: 'Remove a preset.',
  admission: 'settings',
  scopes: ['presets'],
  success: 204,
  produces: [],
  errors: ['preset_not_found', 'invalid_params'],
  async handle(call) {
    const { visitor, services } = call
    await removePreset(services.database.kysely, accountOf(visitor), nameIn(call))
    return { headers: {}, body: '' }
  },
})
