import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { BucketLocation } from 'pixelmill/bucket/location'

/** Has a server listen on a free port until the test ends; it is where a bucket should be. */
export async function listening(t: TestContext, server: Server): Promise<BucketLocation> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'images',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  }
}
