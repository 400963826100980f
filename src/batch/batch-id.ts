const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether this could be a batch's id: PostgreSQL takes nothing else for a UUID. */
export const isBatchId = (text: string): boolean => UUID.test(text)
