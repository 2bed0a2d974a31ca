// Configures where Prisma's own tool finds the models and the migrations, when somebody installs it.
export default {
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://unset' },
}
