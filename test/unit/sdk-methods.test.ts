// The methods of the clients keep their names when the ids of operations change.
import { expect, it } from 'vitest'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import webhooks from '../../rest/webhooks.json' with { type: 'json' }
import { describe as read } from '../../src/modules/sdk/description.ts'
import overGraphql from '../../src/modules/sdk/graphql-operations.json' with { type: 'json' }
import { pythonOperations } from '../../src/modules/sdk/python-operations.ts'
import { operationsModule } from '../../src/modules/sdk/typescript.ts'

it('a method is named by x-sdk-method where an operation has one', () => {
  const renamed = structuredClone(openapi) as { paths: Record<string, Record<string, Record<string, unknown>>> }
  for (const operation of Object.values(renamed.paths).flatMap(Object.values)) {
    operation['x-sdk-method'] ??= operation.operationId
    operation.operationId = `${operation.operationId}_operation`
  }
  const [before, after] = [read(openapi, webhooks, overGraphql), read(renamed, webhooks, overGraphql)]
  expect(operationsModule(after, 'd.ts')).toBe(operationsModule(before, 'd.ts'))
  expect(pythonOperations(after, 'async')).toBe(pythonOperations(before, 'async'))
})
