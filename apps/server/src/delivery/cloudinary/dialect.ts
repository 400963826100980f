import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { ApiError } from '../../contract/api-error.ts'
import { segmentsOf } from '../address.ts'
import { type DialectAccess, placeBelow, type SourceDialect, type SourceOrder, secretsOf } from '../dialects/dialect.ts'
import { bySize } from '../dialects/prepare.ts'
import { type CloudinaryAddress, fetchedUrl, isCloudinarySigned, readCloudinaryAddress } from './address.ts'
import type { Component } from './options.ts'
import { cloudinaryRecipe, isOfFormatOnly, layersOf, recipeOfFormat, trimOf } from './plan.ts'
import { readComponent } from './read-component.ts'

/** Reads Cloudinary's URLs, in which the cloud is the name of a source. */
export const cloudinaryDialect = (access: DialectAccess): SourceDialect => ({
  sourceOf: (url) => readCloudinaryAddress(url)?.cloud,
  async read(url, source, preset) {
    const address = readCloudinaryAddress(url)
    if (!address) throw new ApiError('source_not_found')
    if (!access.openSources.includes(source.name) && !isSigned(address, secretsOf(source, access)))
      throw new ApiError('invalid_signature')
    requireFew(address.transformations.length, MOST_COMPONENTS, 'components')
    const components = address.transformations.map(readComponent)
    requireFew(layersOf(components).length, limits.recipe.files, 'layers')
    const presets = await presetsOf(components, preset)
    const place =
      address.type === 'fetch'
        ? placeBelow(source, fetchedUrl(address))
        : { path: segmentsOf(address.original.replaceAll(/%2F/gi, '/')), query: undefined }
    return {
      source,
      ...place,
      recipe: recipeOfFormat(components, presets),
      ...(!isOfFormatOnly(components) && {
        prepare: bySize((original) => cloudinaryRecipe(components, original, presets), {
          trim: trimOf(components),
          marks: layersOf(components),
        }),
      }),
      variant: `cloudinary ${JSON.stringify([components, [...presets], address.version])}`,
      expires: undefined,
      ...dispositionOf(components),
      explain: (error) => error,
    }
  },
})

/** With fl_attachment the picture is saved, not shown. */
function dispositionOf(components: readonly Component[]): Pick<SourceOrder, 'disposition'> {
  const fileName = components.findLast((component) => component.fileName !== undefined)?.fileName
  if (fileName === undefined) return {}
  return { disposition: { type: 'attachment', ...(fileName !== '' && { stem: fileName }) } }
}

/** Each may read a preset or a file. */
const MOST_COMPONENTS = 2 * limits.recipe.steps

function requireFew(count: number, most: number, what: string): void {
  if (count > most) throw invalidParam('url', 'custom', `Must have at most ${most} ${what}.`)
}

const isSigned = ({ signature, signedText }: CloudinaryAddress, secrets: readonly string[]): boolean =>
  signature !== undefined && isCloudinarySigned(signedText, signature, secrets)

async function presetsOf(
  components: readonly Component[],
  preset: (name: string) => Promise<Recipe>,
): Promise<ReadonlyMap<string, Recipe>> {
  const names = [...new Set(components.flatMap((component) => component.preset ?? []))]
  return new Map(await Promise.all(names.map(async (name) => [name, await preset(name)] as const)))
}
