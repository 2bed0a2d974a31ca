// The settings of where files are stored and published, and of the gateways that read them.
import { z } from 'zod'
import { secret, secretUrl } from './secret.ts'
import { bareUrl, baseUrl, flag, isAnyOf, missing, orNull, type RawSettings } from './values.ts'

const pathPart = '[A-Za-z0-9_-][A-Za-z0-9._-]*'

export const storageVariables = {
  /** Gateways that serve `ipfs/<cid>` and `tx/<id>`; null: bundles kept there cannot be verified by their id. */
  IPFS_GATEWAY: secretUrl(baseUrl),
  ARWEAVE_GATEWAY: secretUrl(baseUrl),
  IPFS_API: bareUrl,
  IPFS_API_AUTHORIZATION: secret(
    orNull(z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be the value of a header')),
  ),
  S3_ENDPOINT: bareUrl,
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: secret(z.string().optional()),
  S3_SECRET_ACCESS_KEY: secret(z.string().optional()),
  /** True: the bucket is the first part of the path. False: of the host name. */
  S3_PATH_STYLE: flag.default(true),
  /** Prefix of all object names. */
  S3_PREFIX: z
    .string()
    .regex(new RegExp(`^${pathPart}(/${pathPart})*/?$`), 'must be a folder such as evidence/production')
    .transform(value => value.replace(/\/*$/, '/'))
    .default(''),
}
const variables = z.object(storageVariables)

const objectStore = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

export const storageFaults = (raw: RawSettings): string[] => [
  ...(isAnyOf(raw, [...objectStore, 'S3_PREFIX'])
    ? missing(raw, objectStore, 'an object store needs all of these')
    : []),
  ...(raw.IPFS_API_AUTHORIZATION === undefined
    ? []
    : missing(raw, ['IPFS_API'], 'without it nothing is sent with IPFS_API_AUTHORIZATION')),
]

type Data = z.output<typeof variables>

/** Returns the object store for the bytes of new files; null: the database. */
export const readObjectStore = (data: Data) =>
  data.S3_ENDPOINT && data.S3_BUCKET && data.S3_ACCESS_KEY_ID && data.S3_SECRET_ACCESS_KEY
    ? {
        endpoint: data.S3_ENDPOINT,
        bucket: data.S3_BUCKET,
        region: data.S3_REGION,
        accessKeyId: data.S3_ACCESS_KEY_ID,
        secretAccessKey: data.S3_SECRET_ACCESS_KEY,
        isPathStyle: data.S3_PATH_STYLE,
        prefix: data.S3_PREFIX,
      }
    : null

/** Returns the node through which bundles are published; null: bundles cannot be published. */
export const readIpfsNode = ({ IPFS_API, IPFS_API_AUTHORIZATION }: Data) =>
  IPFS_API === null ? null : { url: IPFS_API, authorization: IPFS_API_AUTHORIZATION }
