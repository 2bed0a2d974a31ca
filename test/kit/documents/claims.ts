// Lists the fields that the compiler to SQL is to answer, by what they declare; and the root fields that no test may
// ask for.
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql'
import { extensionsOf } from '../../../src/kit/sql/extensions.ts'

type Field = GraphQLField<unknown, unknown>

const paid = 'is paid'
const onChain = 'asks a chain or another host'
const clock = 'depends on the clock'
/** Fields that are left out, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  'Query.signInNonce': 'writes a nonce',
  'Query.premiumFxRate': paid,
  'Query.premiumIsoMessage': paid,
  'Query.premiumVerifyBundles': paid,
  'Query.premiumVerifyEvidence': paid,
  'Query.pricing': onChain,
  'Query.facilitatorConfig': onChain,
  'Query.verifyContent': onChain,
  'Query.verifyEvidence': onChain,
  'Query.verifyPayment': onChain,
  'Query.health': clock,
  'Query.rateLimit': clock,
  'Query.agentActivity': clock,
  'Query.agentStats': clock,
  'Query.agentAnchors': clock,
  'Query.revenue': clock,
  'Project.revenue': clock,
  'Query.agentTemplate': clock,
  'Query.assistantStatus': clock,
  'Query.sdk': 'makes a file of a megabyte without any stored data',
  'Project.callbackSecret': 'writes a secret when it is first read',
  'WebhookEndpoint.secret': 'writes a secret when it is first read',
}

const ofConnection = /(Connection|Edge)$/
const ofSums = new Set([
  'ReceiptStats',
  'ReceiptGroupKey',
  'Period',
  'ReceiptSum',
  'FiatSum',
  'AnchoringTimes',
  'PaymentStats',
  'PaymentGroupKey',
  'PaymentSum',
])

/** Whether the compiler is to answer the field where its object is read in SQL. */
function claims(type: GraphQLNamedType, field: Field): boolean {
  if (`${type.name}.${field.name}` in leftOut) return false
  const { declared, inMemory, inSql, asRelation, pothosPrismaRelationField, pothosExposedField, writeInSql } =
    extensionsOf(field)
  if (writeInSql || ofSums.has(type.name)) return true
  if (type.name === 'Query') return declared !== undefined || inMemory === true
  if (ofConnection.test(type.name) || type.name === 'PageInfo' || type.name === 'Viewer') return true
  if (declared && !asRelation) return false
  const isLeaf = !isCompositeType(getNamedType(field.type))
  if (isLeaf) return inSql !== undefined || pothosExposedField !== undefined
  return asRelation !== undefined || pothosPrismaRelationField !== undefined
}

/**
 * Returns, by the names of their types, the fields that claim SQL and that a query reaches through such fields alone.
 */
export function claimed(schema: GraphQLSchema): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const waiting: GraphQLNamedType[] = [schema.getQueryType() as GraphQLNamedType]
  for (const type of waiting) {
    if (!isObjectType(type) || found.has(type.name)) continue
    const fields = Object.values(type.getFields()).filter(field => claims(type, field))
    found.set(type.name, new Set(fields.map(({ name }) => name)))
    waiting.push(...fields.map(field => getNamedType(field.type)))
  }
  return found
}
