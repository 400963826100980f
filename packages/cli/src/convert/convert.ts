import { InvalidArgumentError } from 'commander'
import { formatOfName } from '../files/name-format.ts'
import { type OptimizeFlags, optimizationOfFlags } from '../optimize-flags.ts'
import { differenceOf, loadRecipe, type RecipeOptions } from '../recipe.ts'
import { cutOutWork } from './cut-out-work.ts'
import { askedByName, type RunOptions, refuseOtherFormat } from './options.ts'
import { type OrderedWork, runWork } from './run-work.ts'

export interface ConvertOptions extends RunOptions, RecipeOptions {}
export interface OptimizeOptions extends RunOptions, OptimizeFlags {}
export interface RemoveBackgroundOptions extends RunOptions {
  readonly format?: 'png' | 'webp'
  readonly minConfidence?: number
}

/**
 * `pixelmill convert`: carries out a recipe on files, folders, patterns and buckets.
 * @returns the exit code
 * @throws InvalidArgumentError before anything is started
 */
export const convert = (places: readonly string[], options: ConvertOptions): Promise<number> =>
  runWork(places, options, (file) => recipeOf(options, file?.target))

/** `pixelmill optimize`: the same format in fewer bytes. @returns and throws as `convert` */
export const optimize = (places: readonly string[], options: OptimizeOptions): Promise<number> =>
  runWork(places, options, async (file) => {
    const { lossless, quality, visualQuality, maxBytes, metadata } = options
    const flags = Object.entries({ lossless, quality, visualQuality, maxBytes, metadata }).filter(
      ([, value]) => value !== undefined,
    )
    const work = optimizationOfFlags(Object.fromEntries(flags))
    if (file && file.source !== '-' && file.target !== '-' && formatOfName(file.source) !== formatOfName(file.target))
      throw new InvalidArgumentError(`${file.target} says another format than ${file.source}: that is pixelmill convert.`)
    return { work, difference: 'none' }
  })

/**
 * `pixelmill remove-background`: subjects on transparency, by the model that `pixelmill models add` has installed.
 * @returns and throws as `convert`; StartError if the model cannot be used
 */
export const removeBackground = (places: readonly string[], options: RemoveBackgroundOptions): Promise<number> =>
  runWork(places, options, async (file, { server }) => {
    const target = file && file.target !== '-' ? file.target : undefined
    const format = options.format ?? (target !== undefined && askedByName(target) === 'webp' ? 'webp' : 'png')
    if (target !== undefined) refuseOtherFormat(target, format)
    const isLocal = options.server === undefined && server === undefined
    if (!isLocal && options.minConfidence !== undefined)
      throw new InvalidArgumentError('--min-confidence is for this machine: a server has its own.')
    return { work: await cutOutWork(format, options.minConfidence, isLocal), difference: 'none' }
  })

/** @param target the name of the only result; its extension is its format, where nothing else says one */
async function recipeOf(options: RecipeOptions, target: string | undefined): Promise<OrderedWork> {
  const isSaid = [options.format, options.recipe, options.preset].some((value) => value !== undefined)
  const fileName = target === undefined || target === '-' ? undefined : target
  const work = await loadRecipe(isSaid || fileName === undefined ? options : { ...options, format: askedByName(fileName) })
  if (fileName !== undefined) refuseOtherFormat(fileName, work.recipe.outputs[0]?.format)
  return { work, difference: differenceOf(options, work) }
}
