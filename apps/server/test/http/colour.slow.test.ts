import { testColours } from '../support/colours.ts'
import { sharedServer } from '../support/shared-server.ts'

const { post } = sharedServer()
testColours(post, true)
