/** The part of the WebAssembly API that is used here; Node has it, its types do not. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>
  type Exports = Record<string, unknown>
  class Memory {
    readonly buffer: { readonly byteLength: number }
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Exports
  }
}
