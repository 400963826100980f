import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

const HEADER = '// Made by `npm run docs` from the OpenAPI document; edits here are lost.\n\n'

/** The TypeScript of an OpenAPI document. Here, and not beside its caller: it needs a TypeScript that programs can call. */
export const apiTypes = async (document: object): Promise<string> =>
  HEADER + astToString(await openapiTS(structuredClone(document) as OpenAPI3, { alphabetize: false, exportType: false }))
