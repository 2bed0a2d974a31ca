// Configures where Prisma's own tool finds the models and the migrations.
import { defineConfig } from 'prisma/config'

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://unset' },
})
