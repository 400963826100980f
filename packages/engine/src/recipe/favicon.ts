import { type Recipe, recipeSchema } from './recipe.ts'

const box = (side: number) => ({ resize: { width: side, height: side, fit: 'contain' } })
const square = (name: string, side: number, ...further: readonly object[]) => ({
  name,
  format: 'png',
  steps: [box(side), ...further],
})

/**
 * The files of a site's icon: favicon.ico with 48, 32 and 16 pixels, the icon of iOS, which shows transparency as black, and those of a
 * manifest. Pictures that are not square get transparent borders.
 */
const favicon: Recipe = recipeSchema.parse({
  outputs: [
    { name: 'favicon', format: 'ico', steps: [box(48)] },
    square('apple-touch-icon', 180, { background: { color: '#ffffff' } }),
    square('icon-192', 192),
    square('icon-512', 512),
  ],
})

/** Recipes by name that everyone has, unless an account keeps its own under that name. */
export const ownPresets: ReadonlyMap<string, Recipe> = new Map([['favicon', favicon]])
