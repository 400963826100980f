/** Reports progress on standard error: standard output is for the tables. */
export const progress = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
