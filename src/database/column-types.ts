import pg from 'pg'

const { builtins } = pg.types

/** How columns arrive, for our pool only: `pg`'s own table is shared with every other user of the package. */
export const columnTypes = new pg.TypeOverrides()
columnTypes.setTypeParser(builtins.INT8, toSafeInteger)
// A calendar day has no time zone, and `pg` would make it midnight where the server happens to stand.
columnTypes.setTypeParser(builtins.DATE, (day) => day)

/** Counts and credits stay far below 2^53; beyond it a number would silently be another one. */
function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`)
  return value
}
