const answer = await fetch(new URL('./kernels.wasm', import.meta.url))
if (!answer.ok) throw new Error(`The kernels could not be loaded: status ${answer.status}.`)
const bytes = new Uint8Array(await answer.arrayBuffer())

/** The compiled kernels, in browsers. */
export const kernelBytes = (): Uint8Array<ArrayBuffer> => bytes
