// A reason why Quittance cannot start, told as one sentence to the person who started it, without a stack.

export class StartError extends Error {
  override name = 'StartError'
}
