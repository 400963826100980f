import { basename, dirname, extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import type { Pixelmill } from '@pixelmill/engine/library/calls'
import type { InfoField } from '@pixelmill/engine/library/types'
import { fileReferences, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'
import type { Door, MadeImage } from '../agent-tools/door.ts'
import { previewOr, previewRecipe } from '../agent-tools/preview.ts'
import { optimizationOfFlags } from '../optimize-flags.ts'
import { ofRecipe } from '../recipe.ts'
import type { LocalBatches } from './local-batches.ts'
import type { LocalFiles } from './local-files.ts'

export interface LocalParts {
  readonly files: LocalFiles
  readonly mill: Pixelmill
  readonly batches: LocalBatches
}

const image = z.strictObject({ file: z.string() })
type Image = z.output<typeof image>

/** The tools with the files of this machine. */
export function localDoor({ files, mill, batches }: LocalParts): Door<Image> {
  const previewOf = (bytes: Buffer, signal: AbortSignal): Promise<Buffer | undefined> =>
    previewOr(async () => (await mill.render(bytes, previewRecipe, { signal }))[0]?.bytes)
  const bytesOf = ({ file }: Image): Promise<Buffer> => files.read(file)
  const door: Door<Image> = {
    image,
    edits: { folder: z.string().optional().describe('Where results go; by default beside the image.') },
    batch: { folder: z.string(), out: z.string().describe('Where results go, with the same subfolders.') },
    texts: {
      images: 'image: {file}, a path.',
      results: 'Results are new files; none is replaced.',
      batch: 'Converts all images of a folder that have changed since the last time.',
    },
    async edit({ image: source, recipe: recipeJson, files: further, folder, preview }, signal) {
      const recipe = parseJson(recipeSchema, recipeJson)
      const lacking = fileReferences(recipe).find(({ name }) => further[name] === undefined)
      if (lacking) throw invalidParam('files', 'custom', `Needs ${lacking.name}, which a step names.`)
      const content = await bytesOf(source)
      const others: Record<string, Buffer> = {}
      for (const [name, other] of Object.entries(further)) others[name] = await bytesOf(other)
      const images = await mill.render(content, recipe, { files: others, signal })
      const madeImages: MadeImage[] = []
      for (const { name: output, bytes, format, type, extension, width, height } of images) {
        const stem = basename(source.file, extname(source.file))
        const name = `${stem}${images.length > 1 ? `-${output}` : ''}.${extension}`
        const file = await files.write(folder ?? dirname(source.file), name, bytes)
        const uri = pathToFileURL(files.existing(file)).href
        madeImages.push({ output, format, mime: type, width, height, bytes: bytes.length, image: { file }, uri })
      }
      const [first] = images
      return { images: madeImages, preview: preview && first ? await previewOf(first.bytes, signal) : undefined }
    },
    async inspect(source, fields, signal) {
      return await mill.info(await bytesOf(source), { fields: fields as readonly InfoField[] | undefined, signal })
    },
    async makeBatch({ folder, out }, order) {
      const work = order === 'optimize' ? optimizationOfFlags({}) : ofRecipe(parseJson(recipeSchema, order), new Map())
      return await batches.begin(files.existing(String(folder)), files.folder(String(out)), work)
    },
    results: { template: 'file:///{+part}', read: (uri) => files.read(fileURLToPath(uri)) },
    batchStatus: async (id) => batches.status(id),
    async suggestCrop(source, shapes, signal) {
      return await mill.suggestCrops(await bytesOf(source), { ...shapes, signal })
    },
    usage: async () => ({
      calls: { limit: null },
      note: 'Files of this machine are converted by this machine: nothing is counted.',
    }),
  }
  return door
}
