import assert from 'node:assert/strict'
import { test } from 'node:test'
import { servedRoutes } from '../../routes.ts'
import type { Route } from '../route.ts'
import { servedPaths } from '../router.ts'

/** Which path of the routes an address belongs to, and what `Allow` says there. */

const routes = servedRoutes(undefined, { METRICS_TOKEN: undefined, DELIVERY_DIALECTS: ['imgproxy', 'imgix', 'cloudinary'] })
const pathAt = servedPaths(routes)

const cases: readonly (readonly [url: string, path: string | undefined, allow: string | undefined])[] = [
  ['/api/v2/batch/limits', '/api/v2/batch/limits', 'GET, HEAD'],
  ['/api/v2/batch/%6cimits?a=b', '/api/v2/batch/limits', 'GET, HEAD'],
  ['/api/v2/batch/abc', '/api/v2/batch/:id', 'DELETE'],
  ['/api/user/api-keys/abc', '/api/user/api-keys/:id', 'PATCH, DELETE'],
  ['/api/user/sources/shop/sign', '/api/user/sources/:name/sign', 'POST'],
  ['/api/v3/tus/abc', '/api/v3/tus/:handle', 'GET, HEAD, PATCH, POST, DELETE'],
  ['/i/shop/a/b.jpg', '/i/:source/*', 'GET, HEAD'],
  ['/i/shop/', '/i/:source/*', 'GET, HEAD'],
  ['/docs/guides/mcp.md', '/docs/guides/:name.md', 'GET, HEAD'],
  ['/docs/guides/mcp', '/docs/guides/:name', 'GET, HEAD'],
  ['/docs/guides/mcp%0A.md', '/docs/guides/:name.md', 'GET, HEAD'],
  ['/insecure/w:5/plain/a', '/:signature/*', 'GET, HEAD'],
  ['/imgix/shop/a/b.jpg', '/imgix/:source/*', 'GET, HEAD'],
  ['/shop/image/upload/w_5/b.jpg', '/:cloud/image/upload/*', 'GET, HEAD'],
  ['/nothing', undefined, undefined],
  ['/%ff', undefined, undefined],
]
for (const [url, path, allow] of cases) {
  test(`${url} belongs to ${path}`, () => {
    const servedPath = pathAt(url)
    assert.deepEqual([servedPath?.path, servedPath?.allow], [path, allow])
  })
}

test('every path belongs to itself, and its Allow names each of its methods once', () => {
  for (const { path } of routes) {
    const servedPath = pathAt(path.replaceAll(/:\w+/g, 'x1').replace('*', 'a/b'))
    assert.equal(servedPath?.path, path)
    const names = servedPath.allow.split(', ')
    assert.deepEqual(names, [...new Set(names)])
    const own = routes.filter((route) => route.path === path).map(({ method }) => method)
    assert.deepEqual(new Set(names), new Set([...own, ...(own.includes('GET') ? ['HEAD'] : [])]), path)
  }
})

test('the order of routes does not matter', () => {
  const route = (method: Route['method'], path: string) => ({ method, path }) as Route
  const all = [route('GET', '/*'), route('PATCH', '/a/:id'), route('POST', '/a/:id/b'), route('GET', '/:name/b')]
  for (const order of [all, all.toReversed()]) {
    const at = servedPaths(order)
    assert.deepEqual(
      [at('/a/1')?.allow, at('/a/1/b')?.allow, at('/a/b')?.allow, at('/c/b')?.allow],
      ['PATCH', 'POST', 'PATCH', 'GET, HEAD'],
    )
    assert.equal(at('/c/d/e')?.path, '/*')
  }
})
