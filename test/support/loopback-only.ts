import net from 'node:net'

/** Preloaded into every test process and the servers they start: a connection beyond this machine is a fault of the test. */
const isLoopback = (address: string) => /^127\.|^::1$|^0\.0\.0\.0$|^::$|^::ffff:127\./.test(address)

type Connect = typeof net.Socket.prototype.connect
const connect = net.Socket.prototype.connect

net.Socket.prototype.connect = function refuseBeyondLoopback(this: net.Socket, ...args: unknown[]) {
  const [first] = args
  const options = (Array.isArray(first) ? first[0] : first) as { path?: string; host?: string } | undefined
  const host = options?.path === undefined ? (options?.host ?? 'localhost') : 'localhost'
  if (host !== 'localhost' && !isLoopback(host)) {
    process.nextTick(() => this.destroy(new Error(`a test tried to connect to ${host}`)))
    return this
  }
  return Reflect.apply(connect, this, args) as net.Socket
} as Connect
