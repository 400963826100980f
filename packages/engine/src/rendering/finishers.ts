import type { HeicWriter, Programs } from '@pixelmill/codecs/programs'
import { type Encoder, workingProgram } from './external-program.ts'
import { chooseHeicWriter, cjxl } from './programs.ts'
import type { Grants } from './sandbox/confinement.ts'

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
  readonly #grants: Grants
  readonly #folders: string
  #trial: Promise<void> | undefined

  /** @param folders of programs, as in PATH */
  constructor(writer: HeicWriter | 'auto', grants: Grants, folders: string) {
    this.#writer = writer
    this.#grants = grants
    this.#folders = folders
  }

  /** Tries them, once; until it resolves there are none. @throws StartError if heif-enc is requested and does not work */
  trial(): Promise<void> {
    this.#trial ??= this.#try()
    return this.#trial
  }

  async #try(): Promise<void> {
    const [{ heicWriter, encodeHeif }, packJpeg] = await Promise.all([
      chooseHeicWriter(this.#writer, this.#grants, this.#folders),
      workingProgram(cjxl, this.#grants, this.#folders),
    ])
    this.programs = { heicWriter, cjxl: packJpeg !== undefined }
    this.encoders = { ...(encodeHeif && { 'heif-enc': encodeHeif }), ...(packJpeg && { cjxl: packJpeg }) }
  }
}
