// The reason why Quittance cannot start: one sentence for the person who started it, printed without a stack.

export class StartError extends Error {
  override name = 'StartError'
}
