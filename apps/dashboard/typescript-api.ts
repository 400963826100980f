import ts from 'typescript'

/** The parser of TypeScript, for scripts. Here, since version 7, which checks everything else, has no API for programs. */
export { ts }
