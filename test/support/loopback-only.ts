import net, { type LookupFunction } from 'node:net'

/** Preloaded into every test process and the servers it starts: a connection beyond this machine is a fault of the test. */
const isLoopback = (address: string) => /^127\.|^::1$|^0\.0\.0\.0$|^::$|^::ffff:(127\.|7f..:)/.test(address)

type Connect = typeof net.Socket.prototype.connect
const connect = net.Socket.prototype.connect

net.Socket.prototype.connect = function refuseBeyondLoopback(this: net.Socket, ...args: unknown[]) {
  const [first] = args
  const options = (Array.isArray(first) ? first[0] : first) as
    | { path?: string; host?: string; lookup?: LookupFunction }
    | undefined
  const host = options?.path === undefined ? (options?.host ?? 'localhost') : 'localhost'
  // A DNS lookup is allowed if its result is on this machine.
  if (options?.lookup && net.isIP(host) === 0) options.lookup = refusing(options.lookup)
  else if (host !== 'localhost' && !isLoopback(host)) {
    process.nextTick(() => this.destroy(new Error(`a test tried to connect to ${host}`)))
    return this
  }
  return Reflect.apply(connect, this, args) as net.Socket
} as Connect

const refusing =
  (lookup: LookupFunction): LookupFunction =>
  (name, options, callback) =>
    lookup(name, options, (error, result, family) => {
      const addresses = Array.isArray(result) ? result.map(({ address }) => address) : [result]
      const beyond = error ? undefined : addresses.find((address) => !isLoopback(address))
      if (beyond === undefined) callback(error, result, family)
      else callback(new Error(`a test tried to connect to ${beyond}`), [])
    })
