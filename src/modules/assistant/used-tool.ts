// The GraphQL type of a model's call of a tool.
import { builder } from '../../kit/builder.ts'
import type { UsedTool } from './toolbox.ts'

export const UsedToolType = builder.objectRef<UsedTool>('AssistUsedTool').implement({
  description: 'One call of a tool by the model.',
  fields: t => ({
    tool: t.exposeString('tool', { description: 'Name of the tool.' }),
    ok: t.exposeBoolean('ok', { description: 'Whether the call succeeded.' }),
    receiptIds: t.exposeIDList('receiptIds', {
      description: 'UUIDs of the receipts that the call returned to the model, all of which the caller may read.',
      extensions: { listSize: { assumedSize: 5, maxSize: 20 } },
    }),
  }),
})

export const usedTools = { listSize: { assumedSize: 5, maxSize: 100 } }
