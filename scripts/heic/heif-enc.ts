import { findHeifEnc, heifEncoder } from '../../src/rendering/heif-enc.ts'

const program = findHeifEnc()
if (!program) throw new Error('heif-enc is not on the PATH')

/** The program as the service calls it, without a sandbox. */
export const heifEnc = heifEncoder(program, { memoryMegabytes: 0, cpuSeconds: 0 }, new Set())
