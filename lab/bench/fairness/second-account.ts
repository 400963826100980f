/** Creates another account as an administrator does; returns its API key. */
export async function makeSecondAccount(port: number): Promise<string> {
  const admin = await post<{ token: string }>(port, '/api/auth/sign-in', {
    email: 'admin@example.com',
    password: 'correct horse battery',
  })
  const person = { email: 'second@example.com', password: 'correct horse battery too' }
  await post(port, '/api/admin/users', { ...person, plan: 'enterprise' }, admin.token)
  const { token } = await post<{ token: string }>(port, '/api/auth/sign-in', person)
  const { key } = await post<{ key: string }>(port, '/api/user/api-keys', { name: 'bench' }, token)
  return key
}

/** @throws Error with the response, if it is not a success */
async function post<Answer>(port: number, path: string, body: unknown, token?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Answer
}
