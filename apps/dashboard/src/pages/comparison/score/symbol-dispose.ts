// Safari has no Symbol.dispose, by which the workspace of the kernels is closed.
if (!Reflect.has(Symbol, 'dispose')) Object.defineProperty(Symbol, 'dispose', { value: Symbol.for('Symbol.dispose') })

export {}
