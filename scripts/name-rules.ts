import { ts } from '@pixelmill/dashboard/typescript-api'

/**
 * Rules on names and statements that biome does not have: CONTRIBUTING.md, Rules. A declaration is named by what it is, not by a
 * participle alone (`found`, `kept`, `wanted`), a statement declares one value, and literals are not spread into literals.
 */

const IRREGULAR = new Set(
  (
    'begun bought brought built caught chosen done drawn driven fallen fed felt forgotten found frozen given gone grown had ' +
    'heard held hidden kept known laid led left lent lost made meant met overwritten paid rewritten said seen sent shown shut sold ' +
    'spent spoken stolen stored stuck sunk swept taken taught thought thrown told torn understood undone unknown unseen unwritten ' +
    'woken won worn written'
  ).split(' '),
)
/** Adjectives and nouns of the field, words that only end in -ed, and `left` beside `right`. `expected` is what a test compares with. */
const ALLOWED = new Set('bleed breed embed expected feed indeed left need red seed speed unsigned'.split(' '))

const isParticiple = (name: string): boolean => !ALLOWED.has(name) && (IRREGULAR.has(name) || /^[a-z]+ed$/.test(name))

export interface Fault {
  readonly line: number
  readonly what: string
}

/** The faults in a file of TypeScript or Svelte. */
export function nameFaults(path: string, text: string): readonly Fault[] {
  const file = ts.createSourceFile(path, path.endsWith('.svelte') ? scriptsOf(text) : text, ts.ScriptTarget.Latest, true)
  const faults: Fault[] = []
  const visit = (node: ts.Node): void => {
    const what = faultOf(node)
    if (what) faults.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, what })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return faults
}

function faultOf(node: ts.Node): string | undefined {
  const name = declaredName(node)
  if (name !== undefined && isParticiple(name)) return `the name \`${name}\` does not say what it is`
  if (ts.isVariableDeclaration(node) && declaresPair(node.name, node.initializer)) return 'one statement declares two values'
  if (assignsPair(node)) return 'one statement assigns two values'
  if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)) return 'a literal array is spread'
  if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) return 'a literal object is spread'
  return undefined
}

/** The name that a declaration chooses. A field of an object, as in `const { used } = answer`, has the name of its type. */
function declaredName(node: ts.Node): string | undefined {
  const isField = ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.propertyName
  if (isField) return undefined
  const isNamed =
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessor(node)
  if (!isNamed || !node.name) return undefined
  if (ts.isIdentifier(node.name)) return node.name.text
  return ts.isPrivateIdentifier(node.name) ? node.name.text.slice(1) : undefined
}

/** `const [a, b] = [x, y]`. The first and the rest of one list, `const [program, ...args] = [...command]`, belong together. */
const declaresPair = (name: ts.Node, value: ts.Node | undefined): boolean =>
  ts.isArrayBindingPattern(name) &&
  value !== undefined &&
  ts.isArrayLiteralExpression(value) &&
  !name.elements.some((element) => ts.isBindingElement(element) && element.dotDotDotToken)

/** `[a, b] = [x, y]`. Two places that change their values, `[a, b] = [b, a]`, belong together. */
function assignsPair(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false
  const { left, right } = node
  if (!ts.isArrayLiteralExpression(left) || !ts.isArrayLiteralExpression(right)) return false
  const targets = left.elements.map((element) => element.getText())
  return !right.elements.every((value) => targets.includes(value.getText()))
}

/** The scripts of a component at their places, and spaces for the rest, so that lines are those of the file. */
function scriptsOf(text: string): string {
  let scripts = ''
  let end = 0
  for (const match of text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    const [whole, script = ''] = match
    const start = match.index + whole.indexOf('>') + 1
    scripts += text.slice(end, start).replace(/[^\n]/g, ' ') + script
    end = start + script.length
  }
  return scripts
}
