import { createReadStream, writeSync } from 'node:fs'

/**
 * Speaks as a renderer that was taken over: it sends the messages of its arguments, the first at once and one for each request. It
 * imports nothing else, so that it starts in 40 ms.
 */
const messages = process.argv.slice(2)
const say = () => {
  const message = messages.shift()
  if (!message) return
  const { frame, files } = JSON.parse(message)
  writeSync(3, Buffer.concat([Buffer.from(frame, 'base64'), ...files.map((size: number) => Buffer.alloc(size))]))
}
say()
createReadStream('', { fd: 3 }).on('data', say)
