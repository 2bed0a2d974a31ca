// Tells `prisma` where the models and the migrations are.
export default {
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://unset' },
}
