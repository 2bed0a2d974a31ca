// Anyone may ask for a verification, and each may hold a download and wait for a chain: only so many at once.
import { AppError } from '../../core/errors.ts'

const atOnce = 16
let running = 0

export async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    throw new AppError('too_many_requests', 'Too many verifications at once.', { retryAfterSeconds: 1 })
  }
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
  }
}
