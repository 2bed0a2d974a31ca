// A separate run that never ends, for test/e2e/interrupted.test.ts to interrupt.
import { defineConfig } from 'vitest/config'
import config from '../../../vitest.config.ts'

export default defineConfig(environment => {
  const { test, ...rest } = config(environment)
  return { ...rest, test: { ...test, include: ['test/kit/interrupted/hold.ts'] } }
})
