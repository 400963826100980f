/** Rows of [up to so many megapixels, effort]; the last row is for all that is larger. */
export type EffortTable = readonly (readonly [megapixels: number, effort: number])[]

export function effortFor(table: EffortTable, megapixels: number): number {
  const row = table.find(([limit]) => megapixels <= limit) ?? table.at(-1)
  if (!row) throw new Error('an effort table has at least one row')
  return row[1]
}
