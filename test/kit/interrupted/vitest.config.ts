// A separate run that never ends, for test/e2e/interrupted.test.ts to interrupt.
import { defineConfig } from 'vitest/config'
import config from '../../../vitest.config.ts'

export default defineConfig(environment => {
  const { test, ...rest } = config(environment)
  // Replaces all projects by one, because files are chosen by project.
  const holding = { name: 'held', include: ['test/kit/interrupted/hold.ts'], globalSetup: ['test/kit/global-setup.ts'] }
  return { ...rest, test: { ...test, projects: [{ extends: true, test: holding }] } }
})
