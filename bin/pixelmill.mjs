#!/usr/bin/env -S node --initial-old-space-size=64 --min-semi-space-size=16
// The command from a checkout, where units, images and scripts of operators look for it.
import '../packages/cli/bin/pixelmill.mjs'
