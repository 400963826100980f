import type { RendererChild } from '../upload-file.ts'
import { endProgram } from './processes.ts'

/** Renderers that are started before they are asked for, and load meanwhile. Disposal ends those that nobody has taken. */
export class EarlyRenderers implements Disposable {
  readonly #children: RendererChild[]

  constructor(children: readonly RendererChild[]) {
    this.#children = [...children]
    // A renderer that did not start has no pid, which `take` looks at; until then its error has no other listener.
    for (const child of children) child.once('error', () => {})
  }

  /** The first that is alive. */
  take(): RendererChild | undefined {
    for (let child = this.#children.shift(); child; child = this.#children.shift()) if (isAlive(child)) return child
    return undefined
  }

  [Symbol.dispose](): void {
    for (let child = this.take(); child; child = this.take()) endProgram(child)
  }
}

const isAlive = ({ pid, exitCode, signalCode }: RendererChild): boolean =>
  pid !== undefined && exitCode === null && signalCode === null
