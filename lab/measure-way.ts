import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Follows the way of a picture through the source, as a reader does: from a function into the functions that it names, each once, in the
 * order in which they stand. `node lab/measure-way.ts [--list] [FILE NAME]` prints
 *
 * - stops: how often the reader comes into another file;
 * - returns: stops in a file that was left before;
 * - steps upward: stops in a file that the reader met nearer to the beginning than the file from which he comes.
 *
 * Only functions of the engine are followed; those of other packages are stops. Rows of tables (a step's `apply`, a codec's `encode`) are
 * not followed either: a reader chooses one of them.
 */

const root = join(import.meta.dirname, '..')
const { positionals, values } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } })
const [start = 'packages/engine/src/way-of-a-picture.ts', entry = 'renderPlan'] = positionals

/** The top-level declarations of a file, each from its first line to the next one, and the files of the names that it imports. */
interface Source {
  readonly declarations: ReadonlyMap<string, string>
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

const packageFolders = new Map<string, string>(
  ['codecs', 'vision', 'engine'].map((name) => [`@pixelmill/${name}`, join('packages', name, 'src')] as const),
)

/** The file of an import, from the root; undefined for a package that is not ours. */
function fileOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(from), specifier))
  const [scope = '', name = '', ...path] = specifier.split('/')
  const folder = packageFolders.get(`${scope}/${name}`)
  return folder && `${join(folder, ...(path.length > 0 ? path : ['index']))}.ts`
}

const IMPORT = /^import (?!type )\{([^}]*)\} from '([^']+)'/gm
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm

const sources = new Map<string, Source>()
function read(file: string): Source {
  const cachedSource = sources.get(file)
  if (cachedSource) return cachedSource
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const imports = [...text.matchAll(IMPORT)].flatMap(([, names = '', specifier = '']) => {
    const target = fileOf(file, specifier)
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ') && target !== undefined)
      .map((name) => {
        const [original = '', local = original] = name.split(' as ')
        return [local, { file: target ?? '', name: original }] as const
      })
  })
  const heads = [...text.matchAll(DECLARATION)]
  const declarations = heads.map(({ 1: name = '', index }, nth) => [name, text.slice(index, heads[nth + 1]?.index)] as const)
  const source = { declarations: new Map(declarations), imports: new Map(imports) }
  sources.set(file, source)
  return source
}

const isFunction = (declaration: string): boolean =>
  /^(?:export )?(?:async )?(?:function|class)|^(?:export )?const \w+[^=]*= (?:async )?(?:<[^>]*>)?\(|=> /.test(declaration)

interface Stop {
  readonly file: string
  readonly name: string
  readonly from: string
  readonly depth: number
  readonly isReturn: boolean
  readonly isUpward: boolean
}

const stops: Stop[] = []
const firstDepths = new Map<string, number>([[start, 0]])
/** Functions that were read, by file and name. */
const readFunctions = new Set<string>()

function follow(file: string, name: string, depth: number): void {
  const { declarations, imports } = read(file)
  const body = declarations.get(name) ?? ''
  for (const [word] of body.matchAll(/(?<!(?<!\.\.)\.|[\w'"`])[A-Za-z_]\w*(?!\w|['"`]|\s*:(?!:)(?! \())/g)) {
    const importTarget = imports.get(word)
    const target = importTarget ?? (declarations.has(word) && word !== name ? { file, name: word } : undefined)
    if (!target || readFunctions.has(`${target.file} ${target.name}`)) continue
    const declaration = read(target.file).declarations.get(target.name)
    if (declaration === undefined || !isFunction(declaration)) continue
    readFunctions.add(`${target.file} ${target.name}`)
    if (target.file === file) {
      follow(file, target.name, depth)
      continue
    }
    const first = firstDepths.get(target.file)
    const stop = {
      ...target,
      from: file,
      depth: depth + 1,
      isReturn: first !== undefined,
      isUpward: first !== undefined && first <= (firstDepths.get(file) ?? 0),
    }
    stops.push(stop)
    if (first === undefined) firstDepths.set(target.file, depth + 1)
    if (target.file.startsWith('packages/engine/')) follow(target.file, target.name, depth + 1)
  }
}

readFunctions.add(`${start} ${entry}`)
follow(start, entry, 0)
if (values.list) {
  for (const { file, name, depth, isReturn, isUpward } of stops)
    console.log(
      `${'  '.repeat(depth)}${file.replace('packages/', '').replace('src/', '')} ${name}${isReturn ? ' (again)' : ''}${isUpward ? ' (upward)' : ''}`,
    )
}
console.log(
  `${stops.length} stops in ${firstDepths.size} files, ${stops.filter(({ isReturn }) => isReturn).length} returns, ${stops.filter(({ isUpward }) => isUpward).length} steps upward`,
)
