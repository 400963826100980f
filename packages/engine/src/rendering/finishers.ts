import type { HeicWriter, Programs } from '@pixelmill/codecs/programs'
import { type Encoder, workingProgram } from './external-program.ts'
import { chooseHeicWriter, cjxl } from './programs.ts'
import type { Granted } from './sandbox/confinement.ts'

/** The programs that are used, by name. */
export interface Encoders {
  readonly 'heif-enc'?: Encoder
  readonly cjxl?: Encoder
}

/** The programs of this machine that finish what renderers have begun. To try them takes 0.1 s of processor time. */
export class Finishers {
  programs: Programs = { heicWriter: 'none', cjxl: false }
  encoders: Encoders = {}
  readonly #writer: HeicWriter | 'auto'
  readonly #granted: Granted
  readonly #folders: string
  #trial: Promise<void> | undefined

  /** @param folders of programs, as in PATH */
  constructor(writer: HeicWriter | 'auto', granted: Granted, folders: string) {
    this.#writer = writer
    this.#granted = granted
    this.#folders = folders
  }

  /** Resolves when they were tried; until then there are none. @throws StartError if heif-enc is requested and does not work */
  tried(): Promise<void> {
    this.#trial ??= this.#try()
    return this.#trial
  }

  async #try(): Promise<void> {
    const [{ heicWriter, encodeHeif }, packJpeg] = await Promise.all([
      chooseHeicWriter(this.#writer, this.#granted, this.#folders),
      workingProgram(cjxl, this.#granted, this.#folders),
    ])
    this.programs = { heicWriter, cjxl: packJpeg !== undefined }
    this.encoders = { ...(encodeHeif && { 'heif-enc': encodeHeif }), ...(packJpeg && { cjxl: packJpeg }) }
  }
}
