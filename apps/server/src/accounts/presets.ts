import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { canonical, recipeId } from '@pixelmill/engine/recipe/canonical'
import { ownPresets } from '@pixelmill/engine/recipe/favicon'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { type Kysely, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'

export const presetName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,47}$/, 'Must have 1 to 48 lower-case letters, digits and "-", and not begin with "-".')

/** A recipe that an account keeps under a name. */
export const preset = z
  .object({
    name: presetName,
    recipe: recipeSchema.describe('With its defaults.'),
    recipeId: z.string().describe('SHA-256 of what the recipe means, in hexadecimal digits.'),
    updatedAt: z.iso.datetime(),
  })
  .meta(component('Preset'))

export type Preset = z.output<typeof preset>

/** In the order of their names. */
export async function listPresets(db: Kysely<Schema>, accountId: string): Promise<readonly Preset[]> {
  const rows = await db.selectFrom('preset').selectAll().where('account_id', '=', accountId).orderBy('name').execute()
  return rows.map(entryOf)
}

/** A preset of the account, or one that every account has. @throws ApiError preset_not_found */
export async function findPreset(db: Kysely<Schema>, accountId: string, name: string): Promise<Recipe> {
  const row = await db
    .selectFrom('preset')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
  const recipe = row ? entryOf(row).recipe : ownPresets.get(name)
  if (!recipe) throw new ApiError('preset_not_found', { message: `There is no preset "${name}"; check its name.` })
  return recipe
}

/**
 * Keeps a recipe under a name, in place of the one that has it.
 * @throws ApiError too_many_presets
 */
export async function savePreset(db: Kysely<Schema>, accountId: string, name: string, recipe: Recipe): Promise<Preset> {
  return await db.transaction().execute(async (tx) => {
    // Of two requests that save at once, the second counts the first.
    await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
    const others = await tx
      .selectFrom('preset')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('name', '<>', name)
      .executeTakeFirstOrThrow()
    if (Number(others.count) >= limits.presets) throw new ApiError('too_many_presets')
    const row = { account_id: accountId, name, recipe: canonical(recipe) }
    const savedRow = await tx
      .insertInto('preset')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'name'])
          .doUpdateSet({ recipe: row.recipe, updated_at: sql`date_trunc('milliseconds', clock_timestamp())` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    await tellDeliveries(tx, accountId)
    return entryOf(savedRow)
  })
}

/** @throws ApiError preset_not_found */
export async function removePreset(db: Kysely<Schema>, accountId: string, name: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('preset')
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new ApiError('preset_not_found')
    await tellDeliveries(tx, accountId)
  })
}

/** Servers that deliver from the account's sources keep its presets in memory. */
async function tellDeliveries(tx: Transaction<Schema>, accountId: string): Promise<void> {
  await sql`
    update source_change set version = version + 1
     where exists (select from source where account_id = ${accountId})`.execute(tx)
}

interface PresetRow {
  readonly name: string
  readonly recipe: unknown
  readonly updated_at: Date
}

/** The recipe is parsed again: a row of an older release lacks the fields that came since. */
function entryOf({ name, recipe: storedJson, updated_at }: PresetRow): Preset {
  const recipe = recipeSchema.parse(storedJson)
  return { name, recipe, recipeId: recipeId(recipe), updatedAt: updated_at.toISOString() }
}
