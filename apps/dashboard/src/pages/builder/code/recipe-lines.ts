import { curlLines } from '../../../../web/curl.ts'
import { pythonLines } from '../../../../web/python.ts'
import { forShell } from '../../../../web/quoting.ts'
import { typescriptLines } from '../../../../web/typescript.ts'
import type { SentRecipe } from '../draft/draft-recipe.ts'

/** A call that carries out a recipe on a file. */
export interface RecipeCall {
  readonly origin: string
  readonly path: string
  readonly recipe: SentRecipe
  /** Names of files by form field: the picture, and the marks that steps name. */
  readonly files: Readonly<Record<string, string>>
}

export type RecipeLanguage = keyof typeof languages

const languages = { curl: curlLines, typescript: typescriptLines, python: pythonLines }

const EXTENSION = /\.\w+$/

/** The only image that is made, or the ZIP of several. */
function outputName({ recipe: { outputs }, files }: RecipeCall): string {
  const [output] = outputs
  if (outputs.length > 1) return 'images.zip'
  const format = String(output?.format ?? 'same')
  const isOpen = ['same', 'auto', 'best'].includes(format)
  const extension = isOpen ? (EXTENSION.exec(files.image ?? '')?.[0] ?? '') : `.${format === 'jpeg' ? 'jpg' : format}`
  return `${output?.name ?? 'image'}${extension}`
}

/** The request as a program, with the reader's own values. */
export function recipeLines(language: RecipeLanguage, call: RecipeCall): string {
  const { origin, path, recipe, files } = call
  const params = { recipe: JSON.stringify(recipe) }
  return languages[language]({ method: 'POST', origin, path, bearer: 'PIXELMILL_KEY', files, params, output: outputName(call) })
}

export const recipeJson = (recipe: SentRecipe): string => JSON.stringify(recipe, null, 2)

/** The same without a server. */
export const cliLines = ({ recipe, files }: RecipeCall): string =>
  `cat > recipe.json <<'END'
${recipeJson(recipe)}
END
pixelmill convert ${forShell(files.image ?? 'photo.jpg')} --recipe recipe.json --out ./out`

/** What to tell an agent that has the tools of Pixelmill. */
export const promptLines = ({ recipe, files }: RecipeCall): string =>
  `Use Pixelmill’s tool edit_image on ${files.image ?? 'photo.jpg'} with this recipe, and tell me the address and the size of each result:

${recipeJson(recipe)}`
