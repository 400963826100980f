import { parseJson } from '@pixelmill/codecs/contract/parse'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'
import { accountOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { type Call, defineRoute } from '../../http/route.ts'
import { encodedQuery, segmentsOf } from '../address.ts'
import { readParameters, requireOneOutput } from '../parameters.ts'
import { formats, orderByQuery, orderByRecipe, pictureUrls, widths } from '../picture-urls.ts'
import { saveSource } from '../save-source.ts'
import { recipeQuery } from '../short-query.ts'
import { shownSource, sourceName, sourceSettings } from '../source.ts'
import { listSources, purge, removeSource, rotateSecret, showSource, sourceSigner } from '../sources.ts'

const path = '/api/user/sources/:name'

const noContent = { headers: {}, body: '' } as const

/** @throws ApiError invalid_params */
function ownSource({ path, visitor, services: { database } }: Pick<Call, 'path' | 'visitor' | 'services'>) {
  const { name } = parseJson(z.object({ name: sourceName }), path)
  return [database.kysely, accountOf(visitor), name] as const
}

export const listOwnSources = defineRoute({
  method: 'GET',
  path: '/api/user/sources',
  name: 'listSources',
  tag: 'Delivery',
  summary: 'List the sources of the account by name, with what was delivered from them.',
  admission: 'settings',
  scopes: ['sources'],
  produces: ['application/json'],
  answer: z.object({ sources: z.array(shownSource) }),
  errors: [],
  async handle({ visitor, services: { database } }) {
    return jsonReply({ sources: await listSources(database.kysely, accountOf(visitor)) })
  },
})

export const showOwnSource = defineRoute({
  method: 'GET',
  path,
  name: 'showSource',
  tag: 'Delivery',
  summary: 'Show a source.',
  admission: 'settings',
  scopes: ['sources'],
  produces: ['application/json'],
  answer: shownSource,
  errors: ['source_not_found', 'invalid_params'],
  async handle(call) {
    return jsonReply(await showSource(...ownSource(call)))
  },
})

export const saveSourceRoute = defineRoute({
  method: 'PUT',
  path,
  name: 'saveSource',
  tag: 'Delivery',
  summary: 'Save a source of images that are delivered by URL.',
  description:
    'The name is part of the URLs and belongs to one account of the server. A new source gets a secret, which signs its URLs. A changed place makes all servers forget what they have of the earlier one.',
  admission: 'settings',
  scopes: ['sources'],
  json: sourceSettings,
  produces: ['application/json'],
  answer: shownSource,
  errors: ['name_taken', 'too_many_sources', 'ai_key_encryption_disabled'],
  async handle(call) {
    const { outbound, ai, config } = call.services
    const rules = { outbound, vault: ai.access.vault, folders: config.DELIVERY_FOLDERS, buckets: config.DELIVERY_BUCKETS }
    const [db, account, name] = ownSource(call)
    const secret = await saveSource(db, rules, account, name, call.body)
    call.services.delivery.sourcesChanged()
    return jsonReply({ ...(await showSource(db, account, name)), ...(secret !== undefined && { secret }) })
  },
})

export const removeSourceRoute = defineRoute({
  method: 'DELETE',
  path,
  name: 'removeSource',
  tag: 'Delivery',
  summary: 'Remove a source. Its URLs stop working within a second.',
  admission: 'settings',
  scopes: ['sources'],
  success: 204,
  produces: [],
  errors: ['source_not_found', 'invalid_params'],
  async handle(call) {
    await removeSource(...ownSource(call))
    call.services.delivery.sourcesChanged()
    return noContent
  },
})

export const rotateSourceSecret = defineRoute({
  method: 'POST',
  path: '/api/user/sources/:name/rotate-secret',
  name: 'rotateSourceSecret',
  tag: 'Delivery',
  summary: 'Create a new secret of a source. The one before it stays valid until the next.',
  admission: 'settings',
  scopes: ['sources'],
  produces: ['application/json'],
  answer: shownSource,
  errors: ['source_not_found', 'invalid_params'],
  async handle(call) {
    const own = ownSource(call)
    const secret = await rotateSecret(...own)
    call.services.delivery.sourcesChanged()
    return jsonReply({ ...(await showSource(...own)), secret })
  },
})

export const purgeSource = defineRoute({
  method: 'POST',
  path: '/api/user/sources/:name/purge',
  name: 'purgeSource',
  tag: 'Delivery',
  summary: 'Make all servers forget what they have of a source, or of one of its paths.',
  description: 'It holds within a second. Browsers and CDNs keep their copies until max-age.',
  admission: 'settings',
  scopes: ['sources'],
  json: z
    .strictObject({
      path: z.string().optional().describe('As in the URL, percent-encoded. Without it everything of the source is forgotten.'),
    })
    .default({}),
  success: 204,
  produces: [],
  errors: ['source_not_found'],
  async handle(call) {
    const { path } = call.body
    await purge(...ownSource(call), path === undefined ? undefined : segmentsOf(path).join('/'))
    call.services.delivery.sourcesChanged()
    return noContent
  },
})

const toSign = z
  .strictObject({
    path: z
      .string()
      .describe('Of the picture in the source, percent-encoded; a space or another character that a URL has not is encoded.'),
    query: z.string().default('').describe('The parameters of the URL: w=400&f=auto.'),
    recipe: recipeSchema
      .optional()
      .describe(
        'In place of the query: a recipe of one output. It becomes short parameters where these say the same, or else r.',
      ),
    widths: widths.optional(),
    formats: formats.optional(),
  })
  .refine(({ widths, formats }) => widths !== undefined || formats === undefined, { path: ['formats'], error: 'Needs widths.' })

export const signSourceUrl = defineRoute({
  method: 'POST',
  path: '/api/user/sources/:name/sign',
  name: 'signSourceUrl',
  tag: 'Delivery',
  summary: 'Sign a URL of a source, or those of a picture in several widths and formats, with their HTML.',
  description: 'Programs can sign by themselves, with the secret: docs/delivery.md.',
  admission: 'settings',
  scopes: ['sources'],
  json: toSign,
  produces: ['application/json'],
  answer: z.object({
    url: z.string().describe('From /i/ on; of several, that of the largest width in the last format.'),
    srcset: z.string().optional().describe('With widths: of the last format, for an <img>.'),
    sources: z
      .array(z.object({ format: z.string(), srcset: z.string() }))
      .optional()
      .describe('With widths: the srcset of each format.'),
    picture: z.string().optional().describe('With widths: the <picture>, with an empty alt.'),
  }),
  errors: ['source_not_found'],
  async handle(call) {
    const { path, recipe, query, widths, formats } = call.body
    const signer = await sourceSigner(...ownSource(call))
    const name = segmentsOf(path).join('/')
    const wholeRecipe = recipe && requireOneOutput(recipe, 'recipe')
    const sign = (each: string) => {
      readParameters(each)
      return signer.sign(name, each)
    }
    if (widths === undefined)
      return jsonReply({ url: sign(wholeRecipe ? recipeQuery(wholeRecipe, signer.followsHints) : encodedQuery(query)) })
    const order = wholeRecipe
      ? orderByRecipe(wholeRecipe, formats, signer.followsHints)
      : orderByQuery(encodedQuery(query), formats)
    return jsonReply(pictureUrls(order, widths, sign))
  },
})
