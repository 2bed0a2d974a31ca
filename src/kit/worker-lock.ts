// The class of the advisory locks that live workers keep, so that dead workers can be detected.
export const workerLockClass = 7_471
