import type { Answer } from '../../api/client.ts'

export type UsageAnswer = Answer<'/api/v2/usage', 'get'>
export type ListedCall = Answer<'/api/v2/usage/calls', 'get'>['data'][number]
