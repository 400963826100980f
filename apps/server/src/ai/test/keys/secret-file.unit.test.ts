import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { parseKeySecrets } from '../../key-vault.ts'
import { SECRET_FILE, secretsWithFile } from '../../secret-file.ts'

test('twenty starts at once agree on one secret, in a file of its owner alone that is a value of the setting', async (t) => {
  const folder = await tempFolder(t)
  const madeSecrets = await Promise.all(Array.from({ length: 20 }, () => secretsWithFile(folder, undefined)))
  assert.equal(new Set(madeSecrets.map((secrets) => JSON.stringify(secrets))).size, 1)
  assert.deepEqual(await readdir(folder), [SECRET_FILE], 'no draft is left')
  assert.equal((await stat(join(folder, SECRET_FILE))).mode & 0o777, 0o600)
  const text = await readFile(join(folder, SECRET_FILE), 'utf8')
  assert.deepEqual(parseKeySecrets(text.trim()), madeSecrets[0])
  assert.equal(Buffer.from(madeSecrets[0]?.[0]?.secret ?? '', 'base64').length, 32)
  assert.deepEqual(await secretsWithFile(folder, undefined), madeSecrets[0], 'and the next start has the same')
})

test('a setting encrypts, makes no file, and leaves the one that is there for reading', async (t) => {
  const folder = await tempFolder(t)
  const setting = parseKeySecrets('a secret for tests only')
  assert.deepEqual(await secretsWithFile(folder, setting), setting)
  assert.deepEqual(await readdir(folder), [])
  const madeSecrets = await secretsWithFile(folder, undefined)
  assert.deepEqual(await secretsWithFile(folder, setting), [...setting, ...madeSecrets])
  assert.deepEqual(await secretsWithFile(folder, madeSecrets), madeSecrets, 'the line of the file as the setting')
})

test('a file that is damaged is named, and its contents are not', async (t) => {
  const folder = await tempFolder(t)
  await writeFile(join(folder, SECRET_FILE), 'file:hush\n')
  await assert.rejects(secretsWithFile(folder, undefined), (error: Error) => {
    assert.equal(error.name, 'StartError')
    assert.match(error.message, /ai-key-secret cannot be used \(must have at least 16 characters .*restore it from a backup/)
    assert.doesNotMatch(error.message, /hush/)
    return true
  })
})
