/** The key under which a JSON Schema carries its name, until the OpenAPI document has a reference in its place. */
export const COMPONENT = 'x-component'

/**
 * Names a schema as a component of the OpenAPI document, by `schema.meta(component('Batch'))`: generated clients have one type of that
 * name for all its uses. Schemas that are derived by `describe`, `refine` and `optional` keep the name; by `extend` they lose it.
 */
export const component = (name: string) => ({ [COMPONENT]: name }) as const
