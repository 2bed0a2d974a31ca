// The class of the advisory locks by which workers show that they live.
export const workerLockClass = 7_471
