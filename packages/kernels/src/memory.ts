import { kernelBytes } from '#kernel-bytes'
import type { Kernels } from './kernels.ts'

/**
 * The memory that kernels work in. Whoever computes opens a workspace, allocates all that is needed, and closes it: its bytes are
 * then set to 0, so that no picture sees pixels of the one before.
 */

const PAGE = 65_536
const MOST_PAGES = 65_536
/** Every address is a multiple of this many bytes, the size of a vector. */
const VECTOR = 16
/** Memory cannot shrink: a workspace with more bytes than this is given back as a whole. */
const KEPT_BYTES = 8 * 2 ** 20

let compiledModule: WebAssembly.Module | undefined
/** A workspace that nobody uses. A second one is made only while the first is open. */
let idleWorkspace: Workspace | undefined

/** @throws Error where this processor has no SIMD instructions */
export function openWorkspace(): Workspace {
  const workspace = idleWorkspace ?? new Workspace()
  idleWorkspace = undefined
  return workspace
}

/** Kernels, and the bytes that they work on. */
export class Workspace implements Disposable {
  readonly kernels: Kernels
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES })
  readonly #first: number
  #next: number

  constructor() {
    compiledModule ??= new WebAssembly.Module(kernelBytes())
    const { exports } = new WebAssembly.Instance(compiledModule, { env: { memory: this.#memory } })
    this.kernels = exports as unknown as Kernels
    this.#first = wholeVectors(this.kernels.firstAddress())
    this.#next = this.#first
  }

  /**
   * Reserves bytes that are 0, up to the next multiple of 16. Views of the memory that were made before become invalid.
   * @returns their address
   * @throws Error where the machine has no more memory
   */
  allocate(bytes: number): number {
    const address = this.#next
    const end = wholeVectors(address + bytes)
    const lacking = end - this.#memory.buffer.byteLength
    if (lacking > 0) this.#grow(Math.ceil(lacking / PAGE), end)
    this.#next = end
    return address
  }

  /** Reserves bytes and copies samples or weights there. */
  place(values: Uint8Array | Uint16Array | Int16Array | Int32Array | Float32Array): number {
    const address = this.allocate(values.byteLength)
    this.bytes(address, values.byteLength).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    return address
  }

  /** A view that is valid until the next allocation. */
  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length)
  }

  /** A view that is valid until the next allocation. */
  floats(address: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, address, length)
  }

  /** A view that is valid until the next allocation. */
  doubles(address: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, address, length)
  }

  /** A view that is valid until the next allocation. */
  addresses(address: number, length: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, address, length)
  }

  #grow(pages: number, bytes: number): void {
    try {
      this.#memory.grow(pages)
    } catch (cause) {
      throw new Error(`There is no memory for the ${Math.ceil(bytes / 2 ** 20)} MB in which pixels are computed.`, { cause })
    }
  }

  [Symbol.dispose](): void {
    if (this.#memory.buffer.byteLength > KEPT_BYTES) return
    this.bytes(this.#first, this.#next - this.#first).fill(0)
    this.#next = this.#first
    idleWorkspace = this
  }
}

/** The least multiple of a vector's size that is not below a number of bytes. */
export const wholeVectors = (bytes: number): number => Math.ceil(bytes / VECTOR) * VECTOR
