import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** The TypeScript of an OpenAPI document. Here, and not beside its caller: it needs a TypeScript that programs can call. */
export const apiTypes = async (document: object): Promise<string> =>
  astToString(await openapiTS(structuredClone(document) as OpenAPI3, { alphabetize: false, exportType: false }))
