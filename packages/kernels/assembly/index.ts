// The module that build.ts compiles: one file for each family of kernels. Memory is the caller's, who gives every address.

export * from './barrier'
export * from './boxes'
export * from './dct'
export * from './filters'
export * from './matte'
export * from './minimum-cut'
export * from './mixture'
export { capacities, graphBytes, joinNeighbours, pullPixels, readCut, terminals, useGraph } from './pixel-graph'
export * from './permute'
export * from './planes'
export * from './png'
export * from './resample'
export * from './ssim'
export * from './ssimulacra2'

/** Addresses below this one hold constants of the kernels. */
export function firstAddress(): usize {
  return __heap_base
}
