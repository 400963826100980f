import { basename, dirname, extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { acceptedFormat } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { ApiError, invalidParam } from '@pixelmill/codecs/contract/api-error'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { unknownPlatforms, wantedCrops } from '@pixelmill/engine/crops/wanted-crops'
import { fileReferences, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { type InfoField, infoFields } from '@pixelmill/engine/tasks/info'
import { writtenImages } from '@pixelmill/engine/tasks/recipe'
import { croppingAround } from '@pixelmill/vision/salience/crop-around'
import { salientSubject } from '@pixelmill/vision/salience/salient-subject'
import { z } from 'zod'
import type { Door, MadeImage } from '../agent-tools/door.ts'
import { previewOf } from '../agent-tools/preview.ts'
import type { RenderingSettings } from '../environment.ts'
import type { LocalBatches } from './local-batches.ts'
import type { LocalFiles } from './local-files.ts'

export interface LocalParts {
  readonly files: LocalFiles
  readonly pool: Pool
  readonly settings: RenderingSettings
  readonly batches: LocalBatches
}

const image = z.strictObject({ file: z.string() })
type Image = z.output<typeof image>

/** The tools with the files of this machine. */
export function localDoor({ files, pool, settings, batches }: LocalParts): Door<Image> {
  async function bytesOf({ file }: Image): Promise<Buffer> {
    const bytes = await files.read(file)
    if (!acceptedFormat([bytes], settings.HEIC)) throw new ApiError('invalid_image_type')
    return bytes
  }
  const door: Door<Image> = {
    image,
    edits: { folder: z.string().optional().describe('Where results go; by default beside the image.') },
    batch: { folder: z.string(), out: z.string().describe('Where results go, with the same subfolders.') },
    texts: {
      images: 'image: {file}, a path.',
      results: 'Results are new files; none is replaced.',
      batch: 'Converts all images of a folder that have changed since the last time.',
    },
    async edit({ image: source, recipe: written, files: further, folder, preview }, signal) {
      const recipe = parseJson(recipeSchema, written)
      const lacking = fileReferences(recipe).find(({ name }) => further[name] === undefined)
      if (lacking) throw invalidParam('files', 'custom', `Needs ${lacking.name}, which a step names.`)
      const content = await bytesOf(source)
      const others = await Promise.all(Object.values(further).map(bytesOf))
      const params = { recipe, files: Object.keys(further), ...acceptedBy(undefined) }
      const sources = [content, ...others].map((bytes) => [bytes])
      const images = writtenImages(await pool.run('recipe', params, sources, signal, 'background'))
      const made: MadeImage[] = []
      for (const [index, { bytes, codec, width, height }] of images.entries()) {
        const output = recipe.outputs[index]?.name ?? 'image'
        const stem = basename(source.file, extname(source.file))
        const name = `${stem}${images.length > 1 ? `-${output}` : ''}.${codec.extension}`
        const file = await files.write(folder ?? dirname(source.file), name, bytes)
        made.push({
          ...{ output, format: codec.name, mime: codec.mime, width, height, bytes: bytes.length },
          ...{ image: { file }, uri: pathToFileURL(files.existing(file)).href },
        })
      }
      const [first] = images
      return { images: made, preview: preview && first ? await previewOf(pool, first.bytes, signal) : undefined }
    },
    async inspect(source, fields, signal) {
      const asked = (fields ?? infoFields.filter((name) => name !== 'exif.gps')) as InfoField[]
      return (await pool.run('info', { fields: asked }, [[await bytesOf(source)]], signal, 'background')).report
    },
    async makeBatch({ folder, out }, recipe) {
      return await batches.begin(files.existing(String(folder)), files.folder(String(out)), parseJson(recipeSchema, recipe))
    },
    batchStatus: async (id) => batches.status(id),
    async suggestCrop(source, { platforms, ratio }, signal) {
      const { report, files: maps } = await pool.run('focus', {}, [[await bytesOf(source)]], signal, 'background')
      const shown = { width: report.width, height: report.height }
      const map = { width: report.mapWidth, height: report.mapHeight, data: maps[0] ?? Buffer.alloc(0) }
      const subject = salientSubject(map, shown)
      const cropped = croppingAround(shown, subject)
      const wanted = { platforms, customRatio: ratio }
      const unknown = unknownPlatforms(wanted)
      return {
        image: shown,
        crops: wantedCrops(wanted, shown).map((each) => ({
          platform: each.platform,
          target: each.target,
          crop: cropped(each.ratio),
        })),
        ...(unknown.length > 0 && { unknownPlatforms: unknown }),
      }
    },
    usage: async () => ({
      calls: { limit: null },
      note: 'Files of this machine are converted by this machine: nothing is counted.',
    }),
  }
  return door
}
