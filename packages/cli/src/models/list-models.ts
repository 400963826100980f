import { knownModels } from '@pixelmill/vision/inference/known-models'
import { readModelsEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { bytesText, nameText } from '../format.ts'
import { readInstalledModels } from './installed-models.ts'

/** `pixelmill models list`: the models that are installed, and those that can be fetched by their names. @throws StartError */
export function listModels(): number {
  const { DATA_DIR: dataDir, BG_MODEL_PATH: ownPath } = readModelsEnvironment()
  const { background, models } = readInstalledModels(dataDir)
  const stateOf = (name: string) => (name === background && ownPath === undefined ? 'in use' : 'installed')
  const others = Object.entries(knownModels).filter(([name]) => !Object.hasOwn(models, name))
  const rows = [
    ['NAME', 'SIZE', 'LICENCE', 'STATE', 'FROM'],
    ...Object.entries(models).map(([name, { bytes, licence, from }]) => [
      name,
      bytesText(bytes),
      licence ?? 'not known',
      stateOf(name),
      from,
    ]),
    ...others.map(([name, { bytes, licence, address }]) => [name, bytesText(bytes), licence, 'can be added', address]),
  ]
  const columns = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => nameText(cell).padEnd(columns[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  if (ownPath !== undefined) console.log(`\nBG_MODEL_PATH is in use: ${nameText(ownPath)}`)
  return EXIT.done
}
