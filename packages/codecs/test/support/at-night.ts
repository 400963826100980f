/** SLOW_TESTS=1, with which `.ci/run` runs every night. */
export const isNight = process.env.SLOW_TESTS === '1'

/** Why a test that takes long, for what seldom changes, is skipped; false at night. */
export const skipByDay = isNight ? false : 'slow: set SLOW_TESTS=1'

/** How often something is tried: `often` every night, `seldom` with each change. */
export const times = ({ seldom, often }: { readonly seldom: number; readonly often: number }): number =>
  isNight ? often : seldom
