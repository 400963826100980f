/** PostgreSQL's superuser in the embedded cluster: whoever can open the socket is Pixelmill, so there is one role. */
export const EMBEDDED_USER = 'pixelmill'

/** The name PostgreSQL gives its socket: fixed by the protocol for its default port. */
export const SOCKET_FILE = '.s.PGSQL.5432'

/** How `pg` reaches the embedded PostgreSQL. Every field is given, because `pg` fills gaps from the PG… variables. */
export function embeddedAddress(socketDir: string) {
  return { host: socketDir, port: 5432, user: EMBEDDED_USER, database: 'postgres', ssl: false }
}
