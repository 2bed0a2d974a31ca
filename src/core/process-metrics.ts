// The registry of what this process counts by itself. Each metric is declared in the file that counts it. The
// gauges of the database, which every process reports alike, are in `modules/metrics/installation.ts`.
import { Registry } from 'prom-client'

export const processMetrics = new Registry()

/** Bounds in seconds of histograms of answers and statements, and of work that may wait for a chain or a receiver. */
export const shortTimes = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
export const longTimes = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]
