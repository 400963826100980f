import { accessSync, constants } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { codecs } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { HEAD_BYTES } from '@pixelmill/codecs/image-formats'
import { type ProgramName, programs } from '@pixelmill/codecs/programs'
import {
  type Confinement,
  commandPrefix,
  type Grants,
  measures,
  RENDERER_USER,
  type Task,
  userChanges,
} from './sandbox/confinement.ts'
import { type ProgramRun, startProgram } from './sandbox/processes.ts'
import { workingMeasures } from './sandbox/working-measures.ts'

/** An external program that the server runs where it is installed: it converts one file into another format. */
export interface ExternalProgram {
  readonly name: ProgramName
  /** Its arguments. `quality` is as callers ask for it. */
  arguments(input: string, output: string, file: Buffer, quality: number | undefined): readonly string[]
  /** A small file, to find out whether it works. */
  readonly trial: Buffer
}

/** One run of the program: `done` rejects if it fails or is killed. */
export interface Encoding {
  readonly done: Promise<Buffer>
  kill(): void
}

/** Runs the program on a file, in a temporary folder of its own; `nice` is its nice value, 0 by default. */
export type Encoder = (file: Buffer, quality: number | undefined, nice?: number) => Encoding

/** Where systems, and Homebrew, install programs. */
export const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'].join(delimiter)

/**
 * The program in a sandbox, if it is in one of the folders and works.
 * @param folders as in PATH
 */
export async function workingProgram(program: ExternalProgram, grants: Grants, folders: string): Promise<Encoder | undefined> {
  const path = findProgram(program.name, folders)
  if (!path) return undefined
  const applicable = measures.filter(({ flags }) => !flags)
  const confinement = await workingMeasures(applicable, (some) =>
    works(program, confinedEncoder(program, path, grants, some, folders)),
  )
  return confinement && confinedEncoder(program, path, grants, confinement, folders)
}

/** Its absolute path; undefined if it is in none of the folders. */
export const findProgram = (name: string, folders: string): string | undefined =>
  folders
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** It sees a single folder, and no encoding is larger than the pixels. */
const taskOf = (program: string, grants: Grants, folder: string): Task => ({
  ...grants,
  program,
  readable: [],
  writable: [folder],
  fileBytes: 3 * limits.pixels,
})

/** In a sandbox like a renderer's, as far as possible for a program other than Node: it reads a renderer's output. */
const confinedEncoder =
  (program: ExternalProgram, path: string, grants: Grants, confinement: Confinement, folders: string): Encoder =>
  (file, quality, nice = 0) => {
    const { name } = program
    // It reads one of our files, and needs nothing else but the programs of its libraries.
    const environment = { PATH: folders }
    const { reads, writes } = programs[name]
    let running: ProgramRun | undefined
    let isKilled = false

    async function encode(folder: string): Promise<Buffer> {
      const input = join(folder, `in.${codecs[reads].extension}`)
      const output = join(folder, `out.${codecs[writes].extension}`)
      await writeFile(input, file)
      if (userChanges(confinement)) await Promise.all([folder, input].map((path) => chown(path, RENDERER_USER, RENDERER_USER)))
      if (isKilled) throw new Error(`${name} was not started: its image was abandoned`)
      const command = [...commandPrefix(taskOf(path, grants, folder), confinement), path]
      running = startProgram(name, [...command, ...program.arguments(input, output, file, quality)], environment, nice)
      await running.done
      const encodedFile = await readFile(output)
      if (!codecs[writes].matches(encodedFile.subarray(0, HEAD_BYTES)))
        throw new Error(`${name} wrote something else than ${codecs[writes].title}`)
      return encodedFile
    }
    async function run(): Promise<Buffer> {
      const folder = await mkdtemp(join(tmpdir(), 'pixelmill-program-'))
      return encode(folder).finally(() => rm(folder, { recursive: true, force: true }))
    }

    return {
      done: run(),
      kill() {
        isKilled = true
        running?.kill()
      },
    }
  }

/** The test takes 50 ms; a hanging program must not block the server's start. */
const PATIENCE_MS = 3_000

async function works({ trial }: ExternalProgram, encode: Encoder): Promise<boolean> {
  const { done, kill } = encode(trial, undefined)
  const patience = setTimeout(kill, PATIENCE_MS)
  const success = await done.then(
    () => true,
    () => false,
  )
  clearTimeout(patience)
  return success
}
