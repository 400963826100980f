import net from 'node:net'

/** Preloaded into servers that share one port of this machine, among which the system distributes connections (SO_REUSEPORT). */
const { listen } = net.Server.prototype
net.Server.prototype.listen = function shared(this: net.Server, ...args: unknown[]) {
  const [first, ...rest] = args
  const isPort = typeof first === 'object' && first !== null && 'port' in first
  return Reflect.apply(listen, this, isPort ? [{ ...first, reusePort: true }, ...rest] : args) as net.Server
} as typeof listen
