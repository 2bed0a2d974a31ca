import { AppError } from '../../src/core/errors.ts'

/** Returns the error that the promise must end with. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    value => `no error but ${JSON.stringify(value)}`,
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw error
}

export const codeOf = async (promise: Promise<unknown>) => (await failure(promise)).code
