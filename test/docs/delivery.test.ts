import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { signText } from 'pixelmill-server/delivery/address'
import { imgproxyOptions } from 'pixelmill-server/delivery/imgproxy/options'
import { parameters } from 'pixelmill-server/delivery/parameters'
import { deliverySettings } from 'pixelmill-server/settings/delivery'
import { startServer } from 'pixelmill-server/test/support/server'
import { blocksOf, runPage, skipWithoutCurl } from 'pixelmill-server/test/support/shell-page'
import sharp from 'sharp'

/** What docs/delivery.md, the pages beside it and the guides to its dialects say: their programs run, and their tables are complete. */

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const pageOf = (name: string): Promise<string> => readFile(join(ROOT, 'docs', name), 'utf8')
const [delivery = '', imgproxy = '', ...others] = await Promise.all(
  ['delivery.md', 'imgproxy.md', 'sources.md', 'caching.md', 'from-imgix.md', 'from-cloudinary.md'].map(pageOf),
)
const all = [delivery, imgproxy, ...others].join('\n')

const secret = 'G78vt9KMfKxJ9J1rRS99v2iJY69u2SAG3CA0iu-4Uzs'
const texts = ['/i/shop/photo.jpg', '/i/shop/a/b.heic?w=400&f=auto&g=0.3,0.6', '/i/shop/gr%C3%BCn%20%E2%9C%93.jpg?w=400'] as const

/** How the page's function becomes a program that signs its arguments, the first of which is the secret. */
interface Language {
  /** The language of its code block. */
  readonly fence: string
  readonly file: string
  readonly command: readonly string[]
  /** Arguments of the command that say whether it is there. */
  readonly asks: string
  program(code: string): string
}

const languages: readonly Language[] = [
  {
    fence: 'ts',
    file: 'sign.mts',
    command: [process.execPath],
    asks: '--version',
    program: (code) => `${code}\nfor (const text of process.argv.slice(3)) console.log(sign(text, process.argv[2]))`,
  },
  {
    fence: 'python',
    file: 'sign.py',
    command: ['python3'],
    asks: '--version',
    program: (code) => `${code}\nimport sys\nfor text in sys.argv[2:]: print(sign(text, sys.argv[1]))`,
  },
  {
    fence: 'php',
    file: 'sign.php',
    command: ['php'],
    asks: '--version',
    program: (code) => `<?php\n${code}\nforeach (array_slice($argv, 2) as $text) echo sign($text, $argv[1]), "\\n";`,
  },
  {
    fence: 'go',
    file: 'sign.go',
    command: ['go', 'run'],
    asks: 'version',
    program: (code) =>
      `package main\n${code}
func main() { for _, text := range os.Args[2:] { fmt.Println(sign(text, os.Args[1])) } }`.replace(
        'import (',
        'import (\n"fmt"\n"os"',
      ),
  },
]

describe('the pages about delivery', () => {
  for (const { fence, file, command, asks, program } of languages) {
    const [name = '', ...first] = command
    const lacks = spawnSync(name, [asks]).status !== 0 && `${name} is not installed`
    test(`${fence}: sign() signs as the server does`, { skip: lacks }, async (t) => {
      const folder = await tempFolder(t)
      const [code = assert.fail('no block'), ...more] = await blocksOf('docs/delivery.md', fence)
      assert.equal(more.length, 0)
      await writeFile(join(folder, file), program(code))
      const env = { ...process.env, GOTOOLCHAIN: 'local' }
      const { stdout } = await run(name, [...first, join(folder, file), secret, ...texts], { cwd: folder, env })
      const key = Buffer.from(secret, 'base64url')
      assert.deepEqual(
        stdout.trim().split('\n'),
        texts.map((text) => signText(text, key)),
      )
    })
  }

  test('the table of parameters has all of them, and the signature', () => {
    assert.deepEqual([...firstCells(delivery, '## Parameters')].sort(), [...Object.keys(parameters.shape), 's'].sort())
  })

  test('the table of imgproxy’s options has all of them, in the words of their rows', () => {
    const section = imgproxy.split('## Options')[1]?.split('\n## ')[0] ?? ''
    const lines = section.split('\n').filter((line) => line.startsWith('| `'))
    assert.deepEqual(
      lines,
      imgproxyOptions.map(({ names, does }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${does} |`),
    )
  })

  test('every setting of delivery is described', () => {
    for (const name of Object.keys(deliverySettings)) assert.match(all, new RegExp(`\\b${name}\\b`), name)
  })

  test('no line is too long to read, tables aside', () => {
    for (const line of all.split('\n')) assert.ok(line.length <= 150 || line.startsWith('|'), line)
  })

  const nginx = spawnSync('nginx', ['-v']).status !== 0 && 'nginx is not installed'
  test('nginx accepts its configuration', { skip: nginx }, async (t) => {
    const folder = await tempFolder(t)
    await run('nginx', ['-t', '-e', join(folder, 'error.log'), '-p', folder, '-c', await nginxFile(folder)])
  })

  test('every command of docs/delivery.md and docs/caching.md runs as it stands', { skip: skipWithoutCurl }, async (t) => {
    const folder = await tempFolder(t)
    await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
    await using server = await startServer({ RENDERERS: '1', DELIVERY_FOLDERS: join(ROOT, 'examples') })
    const env = { URL: server.url, KEY: server.key }
    const outputOf = await runPage('docs/delivery.md', env, folder)
    const purge = await runPage('docs/caching.md', env, folder)
    assert.equal(purge('/purge'), '')
    assert.match(outputOf('-X PUT -H "Authorization: Bearer $KEY" $URL/api/user/sources/shop'), /"secret":"[\w-]{43}"/)
    assert.match(outputOf('photo.avif'), /^\/i\/shop\/photo\.jpg\?w=400&h=300&g=subject&s=[\w-]{22}$/m)
    for (const header of ['content-type: image/avif', 'vary: Accept', 'x-cache: miss'])
      assert.ok(outputOf('photo.avif').includes(`${header}\r\n`), header)
    const { width, height } = await sharp(join(folder, 'photo.avif')).metadata()
    assert.deepEqual([width, height], [400, 300])
    assert.equal(outputOf('/api/user/presets/').match(/"recipeId"/g)?.length, 4)
  })
})

/** The names in backticks in the first column of the first table of a part. */
function firstCells(page: string, heading: string): Set<string> {
  const [, part = ''] = page.split(`${heading}\n`)
  const [table = ''] = /(?:^\|.*\n)+/m.exec(part) ?? []
  const rows = table.split('\n').slice(2)
  return new Set(rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}

/** The page's example as a whole configuration that needs no privileges. */
async function nginxFile(folder: string): Promise<string> {
  const [example = assert.fail('no block')] = await blocksOf('docs/caching.md', 'nginx')
  const listening = example.replace('server {', `server {\nlisten unix:${join(folder, 'nginx.sock')};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
  const http = [...temporary, 'access_log off;', listening.replace('/var/cache/nginx', folder)].join('\n')
  const file = join(folder, 'nginx.conf')
  await writeFile(file, `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http}\n}\n`)
  return file
}
