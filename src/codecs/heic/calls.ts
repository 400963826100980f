import { UnreadableError } from '../reader.ts'
import { type Libheif, libheif, type Pointer } from './libheif.ts'

/** Of enum heif_suberror_code. */
const LIMIT_EXCEEDED = 1000

/** One image's instance of libheif, with C's out-parameters and struct results made bearable. Nothing is freed: all of it goes at once. */
export interface Calls {
  readonly lib: Libheif
  /** A zeroed place for out-parameters. */
  place(bytes: number): Pointer
  int(at: Pointer): number
  pointer(at: Pointer): Pointer
  bytes(at: Pointer, length: number): Uint8Array<ArrayBuffer>
  copyIn(bytes: Uint8Array): Pointer
  /**
   * Runs a function that returns struct heif_error { int code, subcode; const char* message }.
   * @throws UnreadableError
   */
  attempt(call: (result: Pointer) => void): void
}

export function openCalls(): Calls {
  const lib = libheif()
  const view = () => new DataView(lib.HEAPU8.buffer)
  const place = (bytes: number): Pointer => {
    const at = lib._malloc(bytes)
    if (at === 0) throw new Error(`libheif: no room for ${bytes} bytes`)
    lib.HEAPU8.fill(0, at, at + bytes)
    return at
  }
  const result = place(12)
  const text = (at: Pointer): string => Buffer.from(lib.HEAPU8.subarray(at, lib.HEAPU8.indexOf(0, at))).toString('latin1')

  return {
    lib,
    place,
    int: (at) => view().getInt32(at, true),
    pointer: (at) => view().getUint32(at, true),
    bytes: (at, length) => lib.HEAPU8.subarray(at, at + length),
    copyIn(bytes) {
      const at = place(bytes.length)
      lib.HEAPU8.set(bytes, at)
      return at
    },
    attempt(call) {
      call(result)
      const code = view().getInt32(result, true)
      if (code === 0) return
      const cause = new Error(`libheif ${code}: ${text(view().getUint32(result + 8, true))}`)
      const limited = view().getInt32(result + 4, true) === LIMIT_EXCEEDED
      if (limited) throw new UnreadableError('it asks for more pixels, tiles or items than are possible here', { cause })
      throw new UnreadableError('its HEIF structure or its HEVC data is damaged, or of a kind that is not supported', { cause })
    },
  }
}
