/** RFC 6750: the scheme's name is case-insensitive, the token is not. */
const BEARER = /^bearer +(\S+)$/i

/** The token of an Authorization header, if it has one. */
export const bearerOf = (authorization: string | undefined): string | undefined => BEARER.exec(authorization ?? '')?.[1]
