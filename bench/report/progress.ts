/** Says on standard error what is under way: standard output is for the tables. */
export const progress = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
