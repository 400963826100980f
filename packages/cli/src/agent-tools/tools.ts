import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { infoFields } from '@pixelmill/engine/tasks/info'
import { z } from 'zod'
import type { Door, MadeImage } from './door.ts'
import { recipeGrammar } from './recipe-grammar.ts'

/** What a tool answers. */
export interface ToolAnswer {
  /** The answer for programs and models: JSON. */
  readonly facts: object
  /** Images that were made, as links. */
  readonly links?: readonly MadeImage[]
  /** A JPEG to look at. */
  readonly preview?: Buffer | undefined
}

/** One tool of an agent. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly params: z.ZodObject
  /** Whether it changes nothing. */
  readonly readOnly: boolean
  run(params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolAnswer>
}

const recipe = z.looseObject({
  steps: z.array(z.looseObject({})).optional(),
  outputs: z.array(z.looseObject({})).optional(),
})

/** The tools, as they work in one place. To add one, add its row; its description is counted in apps/server/test/mcp. */
export function toolsOf<Image>(door: Door<Image>): readonly Tool[] {
  const { image, texts } = door
  return [
    tool({
      name: 'edit_image',
      title: 'Edit or convert an image',
      description: `Carries out a recipe on one image and says where the results are. ${texts.images} ${texts.results} Recipe: ${recipeGrammar()}`,
      params: z.strictObject({
        image,
        recipe,
        files: z.record(z.string(), image).optional().describe('Images that watermark steps name.'),
        preview: z.boolean().optional().describe('Also show the first result, in 512 pixels.'),
        ...door.edits,
      }),
      async run({ image, recipe, files = {}, preview: isShown = false, ...rest }, signal) {
        const folder = 'folder' in rest && typeof rest.folder === 'string' ? rest.folder : undefined
        const { images, failed = [], preview } = await door.edit({ image, recipe, files, folder, preview: isShown }, signal)
        return { facts: { outputs: images.map(outputOf), ...(failed.length > 0 && { failed }) }, links: images, preview }
      },
    }),
    tool({
      name: 'inspect_image',
      title: 'Describe an image',
      description: `Format, size, colours, metadata, hashes of an image: ${infoFields.join(' ')}.`,
      params: z.strictObject({ image, fields: z.array(z.enum(infoFields)).optional().describe('Default: all but exif.gps.') }),
      readOnly: true,
      run: async ({ image, fields }, signal) => ({ facts: await door.inspect(image, fields, signal) }),
    }),
    ...(door.prepare ? [pageTool(door, door.prepare.bind(door))] : []),
    ...(door.list ? [listTool(door.list.bind(door))] : []),
    tool({
      name: 'make_batch',
      title: 'Convert many images',
      description: `${texts.batch} Returns an id for batch_status. Takes a recipe without files, or optimize: same formats, none larger.`,
      params: z.strictObject({ ...door.batch, recipe: recipe.optional(), optimize: z.boolean().optional() }),
      async run({ recipe, optimize = false, ...params }, signal) {
        if ((recipe === undefined) !== optimize) throw invalidParam('recipe', 'custom', 'Send a recipe, or optimize.')
        return { facts: await door.makeBatch(params, recipe ?? 'optimize', signal) }
      },
    }),
    tool({
      name: 'batch_status',
      title: 'Ask how far a batch is',
      description: 'Progress, and where the result is once it is completed. Ask again after a few seconds.',
      params: z.strictObject({ id: z.string() }),
      readOnly: true,
      run: async ({ id }, signal) => ({ facts: await door.batchStatus(id, signal) }),
    }),
    tool({
      name: 'suggest_crop',
      title: 'Find a crop that keeps the subject',
      description:
        'Rectangles for a crop step, by platform (instagram, story and the like; an unknown one is answered with all) or by ratio.',
      params: z.strictObject({
        image,
        platforms: z.array(z.string()).max(30).optional(),
        ratio: z.strictObject({ width: z.number().positive(), height: z.number().positive() }).optional(),
      }),
      run: async ({ image, platforms, ratio }, signal) => ({
        facts: await door.suggestCrop(image, { platforms, ratio }, signal),
      }),
    }),
    tool({
      name: 'usage',
      title: 'Ask what is left',
      description: 'Calls used and left, and the limits that apply.',
      params: z.strictObject({}),
      readOnly: true,
      run: async (_none, signal) => ({ facts: await door.usage(signal) }),
    }),
  ]
}

const MOST_WIDTHS = 12
const MOST_WIDTH = 8_192

/** Sizes, BlurHash and alternative text in one call. */
const pageTool = <Image>({ image }: Door<Image>, prepare: NonNullable<Door<Image>['prepare']>): Tool =>
  tool({
    name: 'prepare_image',
    title: 'Prepare an image for a page',
    description: 'Makes several widths, and says size, BlurHash, dominant colour and alternative text.',
    params: z.strictObject({
      image,
      widths: z.array(z.int().min(1).max(MOST_WIDTH)).min(1).max(MOST_WIDTHS).default([320, 640, 1280]),
      format: z.string().default('webp'),
      language: z.string().default('en').describe('Of the text.'),
    }),
    async run({ image, ...order }, signal) {
      const { images, failed = [], facts } = await prepare(image, order, signal)
      return { facts: { outputs: images.map(outputOf), ...(failed.length > 0 && { failed }), ...facts }, links: images }
    },
  })

/** Paths that the other tools take. */
const listTool = (list: NonNullable<Door['list']>): Tool =>
  tool({
    name: 'list_images',
    title: 'List images',
    description: 'A page of files of a source, or the sources.',
    params: z.strictObject({
      source: z.string().optional(),
      prefix: z.string().optional(),
      folders: z.boolean().optional(),
      cursor: z.string().optional(),
    }),
    readOnly: true,
    run: async (query, signal) => ({ facts: await list(query, signal) }),
  })

const outputOf = ({ output, format, width, height, bytes, image, uri, expiresAt }: MadeImage) => ({
  output,
  format,
  width,
  height,
  bytes,
  image,
  uri,
  ...(expiresAt !== undefined && { expiresAt }),
})

interface TypedTool<Params extends z.ZodObject> extends Omit<Tool, 'params' | 'run' | 'readOnly'> {
  readonly params: Params
  readonly readOnly?: true
  run(params: z.output<Params>, signal: AbortSignal): Promise<ToolAnswer>
}

/** The server parses parameters by the tool's schema before it calls `run`. */
const tool = <Params extends z.ZodObject>({ readOnly = false as never, ...rest }: TypedTool<Params>): Tool => ({
  ...rest,
  readOnly,
  run: (params, signal) => rest.run(params as z.output<Params>, signal),
})
