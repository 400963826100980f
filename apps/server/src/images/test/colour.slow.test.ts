import { testColours } from '../../../test/support/colours.ts'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()
testColours(post, true)
