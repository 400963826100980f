import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Box } from '@pixelmill/codecs/pixels/trim'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import { isRefusal } from '../../contract/api-error.ts'
import type { Prepare, ReadFile, RunTask } from '../preparation.ts'
import type { Original } from './original.ts'
import type { Drawing, Trim } from './sketch.ts'

/** A recipe, and the pictures that have to be drawn for its steps. */
export interface PlannedRecipe {
  readonly recipe: Recipe
  readonly drawings: readonly Drawing[]
}

/** What has to be looked at before a recipe can be planned, besides the size of the original. */
export interface Needs {
  /** A border of one colour that is cut off first. */
  readonly trim?: Trim | undefined
  /** Paths of the source that are laid over the picture. */
  readonly marks?: readonly string[]
}

/** Plans by the size of the original, which the renderer reads from its header. */
export const bySize =
  (plan: (original: Original) => PlannedRecipe, { trim, marks = [] }: Needs = {}): Prepare =>
  async (bytes, run, readFile) => {
    const { report } = await run('info', { fields: ['width', 'height', 'orientation', 'frames'] }, [bytes])
    const { width = 1, height = 1, orientation = 1, frames = 1 } = report
    const whole = { width, height }
    const trimmedBox = trim ? await trimOf(trim, bytes, frames, run) : { ...whole, left: 0, top: 0 }
    const files = await readMarks(marks, readFile, run)
    const sizes = new Map([...files].map(([path, { size }]) => [path, size]))
    const { recipe, drawings } = plan({ ...whole, orientation, trimmedBox, markSizes: sizes })
    const drawnFiles = await Promise.all(
      drawings.map(async ({ name, path, steps }) => [name, await draw(files.get(path)?.bytes, steps, run)] as const),
    )
    return { recipe, files: new Map(drawnFiles) }
  }

async function trimOf({ parameter, threshold }: Trim, bytes: Buffer, frames: number, run: RunTask): Promise<Box> {
  if (frames > 1) throw invalidParam(parameter, 'custom', 'Is not supported for animations.')
  const { report } = await run('trimBox', { threshold }, [bytes])
  return report
}

interface MarkFile {
  readonly bytes: Buffer
  readonly size: Size
}

async function readMarks(paths: readonly string[], readFile: ReadFile, run: RunTask): Promise<ReadonlyMap<string, MarkFile>> {
  const unique = [...new Set(paths)]
  const files = await Promise.all(
    unique.map(async (path) => {
      const bytes = await readMark(path, readFile)
      const { report } = await run('info', { fields: ['width', 'height'] }, [bytes])
      return [path, { bytes, size: { width: report.width ?? 1, height: report.height ?? 1 } }] as const
    }),
  )
  return new Map(files)
}

/** Some services leave out extensions: then those that a picture to be laid over another one usually has are tried. */
const extensions = ['.png', '.webp', '.jpg']

async function readMark(path: string, readFile: ReadFile): Promise<Buffer> {
  const last = path.split('/').at(-1) ?? ''
  const names = last.includes('.') ? [path] : [...extensions.map((extension) => path + extension), path]
  let missing: unknown
  for (const name of names) {
    try {
      return await readFile(name)
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'source_image_not_found') throw error
      missing = error
    }
  }
  throw missing
}

async function draw(file: Buffer | undefined, steps: Drawing['steps'], run: RunTask): Promise<Buffer> {
  const recipe = parseJson(recipeSchema, { outputs: [{ steps, format: 'png' }] })
  const [image] = file ? writtenImages(await run('recipe', { recipe, files: [], accepts: [], allows: [] }, [file])) : []
  if (!image) throw new Error('a mark was not drawn')
  return image.bytes
}
