// Safari has no Symbol.dispose, by which the workspace of the kernels is closed.
if (!('dispose' in Symbol)) Object.defineProperty(Symbol, 'dispose', { value: Symbol.for('Symbol.dispose') })

export {}
