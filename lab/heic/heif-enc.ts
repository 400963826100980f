import { chooseHeicWriter } from '@pixelmill/engine/rendering/programs'

const { encodeHeif } = await chooseHeicWriter('heif-enc', { memoryMegabytes: 3_072, cpuSeconds: 600 })
if (!encodeHeif) throw new Error('heif-enc is not on the PATH')

/** The program as the service calls it. */
export const heifEnc = encodeHeif
