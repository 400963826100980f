/** Loaded into a server by --import: at SIGUSR2 its timers, listeners and promises throw, as a fault of ours would. */

function fault(where: string): never {
  throw new TypeError(`a fault of ${where}`)
}

process.on('SIGUSR2', () => {
  setTimeout(() => fault('a timer'), 1)
  const controller = new AbortController()
  controller.signal.addEventListener('abort', () => fault('a listener of a signal'))
  controller.abort()
  void Promise.resolve().then(() => fault('a promise'))
  fault('a listener of an event')
})
