// The settings of where files are stored and published, and of the gateways that read them.
import { z } from 'zod'
import { bareUrl, baseUrl, type Given, isAnyOf, missing } from './values.ts'

const pathPart = '[A-Za-z0-9_-][A-Za-z0-9._-]*'

export const storageVariables = {
  IPFS_GATEWAY: baseUrl,
  ARWEAVE_GATEWAY: baseUrl,
  IPFS_API: bareUrl,
  IPFS_API_AUTHORIZATION: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be the value of a header')
    .optional(),
  S3_ENDPOINT: bareUrl,
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: z.enum(['true', 'false']).default('true'),
  S3_PREFIX: z
    .string()
    .regex(new RegExp(`^${pathPart}(/${pathPart})*/?$`), 'must be a folder such as evidence/production')
    .transform(value => value.replace(/\/*$/, '/'))
    .optional(),
}
const variables = z.object(storageVariables)

export type StorageEnv = {
  /** The object store for the bytes of new files; null: the database. */
  s3: {
    endpoint: string
    bucket: string
    region: string
    accessKeyId: string
    secretAccessKey: string
    /** True: the bucket is the first part of the path. False: of the host name. */
    isPathStyle: boolean
    /** Prefix of all object names; may be empty. */
    prefix: string
  } | null
  /** The node through which bundles are published; null: bundles cannot be published. */
  ipfsApi: { url: string; authorization: string | null } | null
  /** Gateways that serve `ipfs/<cid>` and `tx/<id>`; null: bundles kept there cannot be verified by their id. */
  ipfsGateway: string | null
  arweaveGateway: string | null
}

const objectStore = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

export const storageFaults = (given: Given): string[] => [
  ...(isAnyOf(given, [...objectStore, 'S3_PREFIX'])
    ? missing(given, objectStore, 'an object store needs all of these')
    : []),
  ...(given.IPFS_API_AUTHORIZATION === undefined
    ? []
    : missing(given, ['IPFS_API'], 'without it nothing is sent with IPFS_API_AUTHORIZATION')),
]

export const readStorage = (data: z.output<typeof variables>): StorageEnv => ({
  s3:
    data.S3_ENDPOINT && data.S3_BUCKET && data.S3_ACCESS_KEY_ID && data.S3_SECRET_ACCESS_KEY
      ? {
          endpoint: data.S3_ENDPOINT,
          bucket: data.S3_BUCKET,
          region: data.S3_REGION,
          accessKeyId: data.S3_ACCESS_KEY_ID,
          secretAccessKey: data.S3_SECRET_ACCESS_KEY,
          isPathStyle: data.S3_PATH_STYLE === 'true',
          prefix: data.S3_PREFIX ?? '',
        }
      : null,
  ipfsApi: data.IPFS_API ? { url: data.IPFS_API, authorization: data.IPFS_API_AUTHORIZATION ?? null } : null,
  ipfsGateway: data.IPFS_GATEWAY ?? null,
  arweaveGateway: data.ARWEAVE_GATEWAY ?? null,
})
