import { createRequire } from 'node:module'

type Binding = typeof import('@napi-rs/image')

const require = createRequire(import.meta.url)
let binding: Binding | undefined | null = null

function load(): Binding | undefined {
  try {
    return require('@napi-rs/image') as Binding
  } catch {
    // An optional dependency: there is none for this platform, or it was left out.
    return undefined
  }
}

/** oxipng and mozjpeg's jpegtran, or nothing where the package is not installed; loaded at the first call, as it is large. */
export function losslessTools(): Binding | undefined {
  if (binding === null) binding = load()
  return binding
}
