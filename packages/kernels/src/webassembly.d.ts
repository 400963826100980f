/** The part of the WebAssembly API that is used here; Node has it, its types do not. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>
  type Exports = Record<string, unknown>
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum: number })
    /** Another one after each growth. */
    readonly buffer: ArrayBuffer
    /** @throws RangeError where there is no more memory */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Exports
  }
}
