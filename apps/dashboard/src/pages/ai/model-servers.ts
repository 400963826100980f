/** Common model servers with the address of their API; docs/ai.md has the same table. */
export interface ModelServer {
  readonly value: string
  readonly label: string
  /** Empty if each user has their own. */
  readonly baseUrl: string
  /** An example of an address, if there is no fixed one. */
  readonly example?: string
  /** An example of a model name, since new models appear every month. */
  readonly model: string
  /** Whether it accepts requests without a key. */
  readonly keyless?: true
}

const OTHER = 'other'

export const modelServers: readonly ModelServer[] = [
  { value: 'openai', label: 'OpenAI', baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini' },
  { value: 'anthropic', label: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1', model: 'claude-haiku-4-5' },
  {
    value: 'gemini',
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-2.5-flash',
  },
  { value: 'openrouter', label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', model: 'qwen/qwen2.5-vl-72b-instruct' },
  {
    value: 'azure',
    label: 'Azure OpenAI',
    baseUrl: '',
    example: 'https://NAME.openai.azure.com/openai/v1',
    model: 'the name of your deployment',
  },
  { value: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen2.5vl:3b', keyless: true },
  { value: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', model: 'qwen2.5-vl-7b-instruct', keyless: true },
  {
    value: OTHER,
    label: 'Another server',
    baseUrl: '',
    example: 'https://models.example.com/v1',
    model: 'the name of the model there',
  },
]

const other = modelServers.find(({ value }) => value === OTHER) as ModelServer

/** The server that an address belongs to. */
export const serverAt = (baseUrl: string): ModelServer =>
  modelServers.find((server) => server.baseUrl !== '' && baseUrl.startsWith(server.baseUrl)) ??
  modelServers.find(({ value }) => value === 'azure' && /^https:\/\/[^/]+\.openai\.azure\.com\//.test(baseUrl)) ??
  other

export const serverCalled = (value: string): ModelServer => modelServers.find((server) => server.value === value) ?? other

/** "OpenAI"; undefined if the server is not known. */
export const nameOf = (baseUrl: string): string | undefined => {
  const server = serverAt(baseUrl)
  return server === other ? undefined : server.label
}
