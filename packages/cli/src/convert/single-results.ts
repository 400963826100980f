import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../files/make-folder.ts'

/**
 * What the last runs have made of single files, so that the same command does nothing while source, target and recipe are the same: one
 * small file for each target in the user's state folder, since a journal beside each single result would be in the way.
 */
export interface SingleResults {
  /** The sizes of source and result, if the target is what this recipe makes of the source. */
  sizesIfUnchanged(source: string, target: string, recipe: string): Sizes | undefined
  /** Notes what was just written. @throws the system's error if the state folder cannot be written */
  note(source: string, target: string, recipe: string, before: FileVersion): void
}

interface Sizes {
  readonly inputBytes: number
  readonly outputBytes: number
}

const fileVersionSchema = z.strictObject({ bytes: z.int(), changed: z.number() })
const noteSchema = z.strictObject({
  source: z.string(),
  recipe: z.string(),
  before: fileVersionSchema,
  after: fileVersionSchema,
})

/** Size and time of the last change, in milliseconds since 1970. */
export type FileVersion = z.infer<typeof fileVersionSchema>

export function singleResults(stateFolder: string): SingleResults {
  const noteOf = (target: string): string => {
    const name = createHash('sha256').update(realTarget(target)).digest('hex').slice(0, 32)
    return join(stateFolder, 'pixelmill', 'single', `${name}.json`)
  }
  return {
    sizesIfUnchanged(source, target, recipe) {
      const note = readNote(noteOf(target))
      const before = fileVersion(source)
      const after = fileVersion(target)
      if (!note || !before || !after || note.recipe !== recipe || note.source !== realpathSync(source)) return undefined
      if (!isSame(note.before, before) || !isSame(note.after, after)) return undefined
      return { inputBytes: before.bytes, outputBytes: after.bytes }
    },
    note(source, target, recipe, before) {
      const after = fileVersion(target)
      if (!after) return
      const path = noteOf(target)
      const temporary = `${path}.${process.pid}.incomplete`
      makeFolder(dirname(path))
      try {
        writeFileSync(temporary, JSON.stringify({ source: realpathSync(source), recipe, before, after }))
        renameSync(temporary, path)
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
    },
  }
}

/** The version of a file; undefined for what does not exist. */
export function fileVersion(path: string): FileVersion | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && { bytes: stats.size, changed: stats.mtimeMs }
}

const isSame = (one: FileVersion, other: FileVersion): boolean => one.bytes === other.bytes && one.changed === other.changed

/** A target that does not exist yet has the name that it will have. */
const realTarget = (target: string): string => (existsSync(target) ? realpathSync(target) : resolve(target))

/** A note that is missing, or of another release, counts as none: the image is converted again. */
function readNote(path: string): z.infer<typeof noteSchema> | undefined {
  if (!existsSync(path)) return undefined
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
